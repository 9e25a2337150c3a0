package dev.semel.examples.trip;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/** The effects of an external service, one line each, on disk before they are answered. */
final class Books {

    private final Path file;

    Books(Path file) {
        this.file = file;
    }

    /** Adds an effect once for each key, like a service that recognizes a repeated key. */
    String enterOnce(String what, String key) {
        return find(key).orElseGet(() -> enter(what, key));
    }

    /** Adds an effect with each call, like a service that does not recognize a repeated key. */
    String enter(String what, String key) {
        String entry = what + "-" + (lines().size() + 1);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            channel.write(ByteBuffer.wrap((key + " " + entry + "\n").getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entry;
    }

    Optional<String> find(String key) {
        return lines().stream()
                .filter(line -> line.startsWith(key + " "))
                .map(line -> line.substring(key.length() + 1))
                .findFirst();
    }

    private List<String> lines() {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
