package dev.semel.admin.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Tokens of people, in a file that holds their digests: a line for each with name, role and {@code sha256:} of the token.
 * Tokens are random and long, so that a plain digest reveals nothing. The file is read anew for every request, so that a
 * deleted line takes effect at once.
 */
public final class TokenFile implements Authenticator {

    private static final String PREFIX = "semel_";
    private static final String BEARER = "bearer ";

    /** 256 bits: no one guesses it. */
    private static final int TOKEN_BYTES = 32;

    private final Path file;

    /** @throws IllegalArgumentException when the file cannot be read, or a line of it is wrong */
    public TokenFile(Path file) {
        this.file = file;
        lines();
    }

    private record Line(String name, Role role, String digest) {}

    /** A new token and the line that lets it in. */
    public record Made(String token, String line) {}

    /** Makes a token for a person. Only the line goes into the file. */
    public static Made make(String name, Role role) {
        if (!new Caller(name, role, "").name().matches("\\S+")) {
            throw new IllegalArgumentException("a name in a token file has no spaces");
        }
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        String token = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        return new Made(
                token, name + " " + role.label() + " sha256:" + HexFormat.of().formatHex(digest(token)));
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private List<Line> lines() {
        List<String> text;
        try {
            text = Files.readAllLines(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("the token file " + file + " cannot be read: " + e.getMessage(), e);
        }
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < text.size(); i++) {
            String line = text.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                lines.add(parse(line, i + 1));
            }
        }
        return lines;
    }

    /** What is wrong with the file is for the log of this process, and not for callers. */
    private List<Line> linesNow() {
        try {
            return lines();
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("no token is accepted until the token file is mended", e);
        }
    }

    private Line parse(String line, int number) {
        String[] parts = line.split("\\s+", -1);
        try {
            if (parts.length == 3 && parts[2].startsWith("sha256:")) {
                byte[] digest = HexFormat.of().parseHex(parts[2].substring("sha256:".length()));
                return new Line(parts[0], Role.ofLabel(parts[1]), HexFormat.of().formatHex(digest));
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ", line " + number + ": " + e.getMessage(), e);
        }
        throw new IllegalArgumentException(file + ", line " + number
                + ": expected NAME ROLE sha256:DIGEST; `semel console token` makes such a line");
    }

    @Override
    public String kind() {
        return "token";
    }

    @Override
    public Optional<Caller> callerOf(AdminRequest request) {
        return request.headers()
                .first("Authorization")
                .filter(given -> given.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .flatMap(given -> login(given.substring(BEARER.length()).strip(), request.address()));
    }

    /** Compares with every line, so that the time tells nothing about which one fits. */
    @Override
    public Optional<Caller> login(String token, String address) {
        byte[] given = HexFormat.of().formatHex(digest(token)).getBytes(StandardCharsets.US_ASCII);
        Caller found = null;
        for (Line line : linesNow()) {
            if (MessageDigest.isEqual(line.digest().getBytes(StandardCharsets.US_ASCII), given)) {
                found = new Caller(line.name(), line.role(), address);
            }
        }
        return Optional.ofNullable(found);
    }
}
