package dev.semel.server.check.rules;

import dev.semel.server.check.wire.HangUp;
import java.util.List;

/** All rules, in the order in which they are tried and reported. */
public final class Rules {

    private Rules() {}

    public static List<Rule> all() {
        return List.of(
                new NewKeyExecutes(),
                new DuplicateInSequence(),
                new DuplicatesAtOnce(),
                new DuplicatesStaggered(),
                new RetryAfterHangUp(HangUp.BEFORE_ANSWER),
                new RetryAfterHangUp(HangUp.DURING_ANSWER),
                new RetryAfterHangUp(HangUp.AFTER_ANSWER),
                new RetryAfterReadTimeout(),
                new ServerErrorOnce(),
                new KeptForRetention(),
                new OtherBody(),
                new AccountIsolation(),
                new WithoutCredentials(),
                new KeyTruncated(),
                new ErrorsKeepSecrets(),
                new ReplayStatus(),
                new ReplayBody(),
                new ReplayHeaders(),
                new InFlightAnswer(),
                new MismatchStatus(),
                new OtherMethod(),
                new OtherPath(),
                new AccountIndependence(),
                new KeyMissing(),
                new KeyEmpty(),
                new KeyTooLong(),
                new KeyMalformed(),
                new KeySentTwice(),
                new FailedValidation(),
                new ProblemJson(),
                new ErrorsWithoutTrace(),
                new SafeMethods(),
                new ReplayMarked(),
                new InFlightRetryAfter(),
                new OtherQuery(),
                new AccountTiming(),
                new KeyQuotedAndBare(),
                new ServerErrorNotKept(),
                new ErrorsWithoutKey(),
                new RetentionStated(),
                new LateRetry(),
                new CorsAllowsHeader());
    }
}
