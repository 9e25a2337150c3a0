package dev.semel.http.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.Key;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Key rules")
class KeyRulesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8e03978e-40d5-43dd-bc93-6894a57f9324",
                "8E03978E-40D5-43DD-BC93-6894A57F9324",
                "019078e4-5b6a-7c3d-8e9f-0a1b2c3d4e5f",
                "c232ab00-9414-11ec-b3c8-9f6bdeced846",
                "00000000-0000-0000-0000-000000000000",
                "ffffffff-ffff-ffff-ffff-ffffffffffff"
            })
    void for_uuids_take_any_uuid(String uuid) {
        assertThat(KeyRules.NONE.requireUuid().check(new Key(uuid))).isEqualTo(new KeyResult.Found(new Key(uuid)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "8e03978e40d543ddbc936894a57f9324",
                "{8e03978e-40d5-43dd-bc93-6894a57f9324}",
                "urn:uuid:8e03978e-40d5-43dd-bc93-6894a57f9324",
                "8e03978e-40d5-43dd-bc93-6894a57f932",
                "8e03978e-40d5-43dd-bc93-6894a57f93240",
                "8e03978g-40d5-43dd-bc93-6894a57f9324",
                "8e03978e-40d5-43dd-bc936-894a57f9324",
                "8e03978\u0665-40d5-43dd-bc93-6894a57f9324"
            })
    void for_uuids_refuse_everything_else_without_repeating_it(String key) {
        KeyResult result = KeyRules.NONE.requireUuid().check(new Key(key));

        assertThat(result).isInstanceOf(KeyResult.Invalid.class);
        assertThat(((KeyResult.Invalid) result).reason()).startsWith("the key must be a UUID");
    }

    @Test
    void bound_the_length() {
        KeyRules rules = KeyRules.NONE.withMinLength(16).withMaxLength(20);

        assertThat(rules.check(new Key("k".repeat(15))))
                .isEqualTo(new KeyResult.Invalid(
                        "the key has 15 characters, at least 16 are required; a random UUID is a good key"));
        assertThat(rules.check(new Key("k".repeat(16)))).isInstanceOf(KeyResult.Found.class);
        assertThat(rules.check(new Key("k".repeat(20)))).isInstanceOf(KeyResult.Found.class);
        assertThat(rules.check(new Key("k".repeat(21))))
                .isEqualTo(new KeyResult.Invalid("the key has 21 characters, at most 20 are allowed"));
    }

    @ParameterizedTest
    @CsvSource({"false,1,1", "false,255,255", "true,36,36"})
    void may_be_as_narrow_as_one_length(boolean uuid, int min, int max) {
        assertThat(new KeyRules(uuid, min, max).minLength()).isEqualTo(min);
    }

    @ParameterizedTest
    @CsvSource({"false,0,255", "false,1,256", "false,20,19", "false,-1,5", "true,37,255", "true,1,35"})
    void that_no_key_can_keep_are_refused(boolean uuid, int min, int max) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new KeyRules(uuid, min, max))
                .withMessageContaining("minLength");
    }
}
