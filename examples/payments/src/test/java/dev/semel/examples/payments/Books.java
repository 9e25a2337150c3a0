package dev.semel.examples.payments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The provider's ledger, read from its file, independently of the processes under test. */
record Books(Path providerDirectory) {

    int charges() {
        try {
            return Files.readAllLines(providerDirectory.resolve("ledger.jsonl")).size();
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
