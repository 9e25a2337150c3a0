/** Tests of inboxes, idempotent listeners and webhook endpoints in Spring Boot. */
package dev.semel.spring.messaging;
