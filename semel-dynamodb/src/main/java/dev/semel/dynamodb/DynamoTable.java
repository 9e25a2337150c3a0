package dev.semel.dynamodb;

import dev.semel.dynamodb.table.Attributes;
import dev.semel.dynamodb.table.RecordIndex;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** The table that a store needs: one partition key, one sparse index of open records, and TTL. */
public final class DynamoTable {

    /** The attribute that DynamoDB's TTL must name. */
    public static final String TTL_ATTRIBUTE = Attributes.TTL;

    private DynamoTable() {}

    /** The request that creates the table, with on-demand capacity. */
    public static CreateTableRequest definition(String name) {
        return CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                        attribute(Attributes.KEY, ScalarAttributeType.S),
                        attribute(Attributes.QUEUE, ScalarAttributeType.S),
                        attribute(Attributes.AT, ScalarAttributeType.N))
                .keySchema(key(Attributes.KEY, KeyType.HASH))
                .globalSecondaryIndexes(GlobalSecondaryIndex.builder()
                        .indexName(RecordIndex.NAME)
                        .keySchema(indexKeys())
                        .projection(Projection.builder()
                                .projectionType(ProjectionType.INCLUDE)
                                .nonKeyAttributes(Attributes.OPERATION)
                                .build())
                        .build())
                .build();
    }

    static List<KeySchemaElement> indexKeys() {
        return List.of(key(Attributes.QUEUE, KeyType.HASH), key(Attributes.AT, KeyType.RANGE));
    }

    private static AttributeDefinition attribute(String name, ScalarAttributeType type) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(type)
                .build();
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }

    /** The table as commands of the AWS CLI, and the rights that the application and its operators need. */
    public static String description() {
        return DESCRIPTION;
    }

    private static final String DESCRIPTION = """
            # The table, as commands of the AWS CLI. The store creates the same when it starts, unless schemaMode=validate.
            # pk: scope, line feed, key. q, t: only what is in progress or unknown has them, so the index is small.
            aws dynamodb create-table --table-name semel --billing-mode PAY_PER_REQUEST \\
              --attribute-definitions AttributeName=pk,AttributeType=S AttributeName=q,AttributeType=S \\
                AttributeName=t,AttributeType=N \\
              --key-schema AttributeName=pk,KeyType=HASH \\
              --global-secondary-indexes '[{"IndexName":"semel-open",
                "KeySchema":[{"AttributeName":"q","KeyType":"HASH"},{"AttributeName":"t","KeyType":"RANGE"}],
                "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["op"]}}]'
            aws dynamodb wait table-exists --table-name semel
            # TTL: DynamoDB deletes settled records after their retention. Records in progress and unknown never have it.
            aws dynamodb update-time-to-live --table-name semel \\
              --time-to-live-specification Enabled=true,AttributeName=ttl
            # Restores to any second of the last 35 days.
            aws dynamodb update-continuous-backups --table-name semel \\
              --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true

            # The policy of the application's role. Leave CreateTable and UpdateTimeToLive out with schemaMode=validate.
            {
              "Version": "2012-10-17",
              "Statement": [
                {
                  "Sid": "SemelRecords",
                  "Effect": "Allow",
                  "Action": [
                    "dynamodb:GetItem",
                    "dynamodb:BatchGetItem",
                    "dynamodb:PutItem",
                    "dynamodb:DeleteItem",
                    "dynamodb:Scan"
                  ],
                  "Resource": "arn:aws:dynamodb:REGION:ACCOUNT:table/semel"
                },
                {
                  "Sid": "SemelRecordIndex",
                  "Effect": "Allow",
                  "Action": "dynamodb:Query",
                  "Resource": "arn:aws:dynamodb:REGION:ACCOUNT:table/semel/index/semel-open"
                },
                {
                  "Sid": "SemelStartup",
                  "Effect": "Allow",
                  "Action": [
                    "dynamodb:DescribeTable",
                    "dynamodb:DescribeTimeToLive",
                    "dynamodb:DescribeContinuousBackups",
                    "dynamodb:CreateTable",
                    "dynamodb:UpdateTimeToLive"
                  ],
                  "Resource": "arn:aws:dynamodb:REGION:ACCOUNT:table/semel"
                }
              ]
            }
            """;
}
