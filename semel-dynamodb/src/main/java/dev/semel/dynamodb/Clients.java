package dev.semel.dynamodb;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** Opens clients of the AWS SDK. */
final class Clients {

    /** Enough for some thousands of requests a second at a few milliseconds each. */
    private static final int CONNECTIONS = 200;

    private static final String LOCAL = "local";

    private Clients() {}

    /** A client that does not repeat calls by itself: the store does, and knows which of them was written. */
    static DynamoDbAsyncClient open(DynamoUri uri) {
        return builder(uri)
                .overrideConfiguration(configuration -> configuration(configuration, uri.options()))
                .build();
    }

    static ClientOverrideConfiguration.Builder configuration(
            ClientOverrideConfiguration.Builder configuration, DynamoOptions options) {
        return configuration.retryStrategy(AwsRetryStrategy.doNotRetry()).apiCallAttemptTimeout(options.timeout());
    }

    static DynamoDbAsyncClientBuilder builder(DynamoUri uri) {
        DynamoDbAsyncClientBuilder builder = DynamoDbAsyncClient.builder()
                .httpClientBuilder(NettyNioAsyncHttpClient.builder()
                        .maxConcurrency(CONNECTIONS)
                        .connectionTimeout(uri.options().timeout()));
        if (uri.region() != null) {
            builder.region(Region.of(uri.region()));
        }
        if (uri.endpoint() != null) {
            builder.endpointOverride(uri.endpoint());
        }
        if (uri.isLocal()) {
            // DynamoDB Local accepts any credentials, and has no region.
            builder.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(LOCAL, LOCAL)));
            if (uri.region() == null) {
                builder.region(Region.US_EAST_1);
            }
        }
        return builder;
    }
}
