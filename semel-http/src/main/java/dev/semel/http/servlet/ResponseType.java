package dev.semel.http.servlet;

import dev.semel.fingerprint.MediaType;
import jakarta.servlet.http.HttpServletResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The media type and character encoding of a response, by the rules of the servlet specification. */
final class ResponseType {

    static final String SPECIFIED_DEFAULT = "ISO-8859-1";
    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*(?:\"([^\"]*)\"|([^;\\s]*))", Pattern.CASE_INSENSITIVE);

    private @Nullable String text;
    private @Nullable String charset;
    private boolean frozen;

    /** Sets the media type, and with it the encoding where it names one and the writer is not there yet. */
    void set(@Nullable String contentType) {
        if (contentType == null) {
            text = null;
            if (!frozen) {
                charset = null;
            }
            return;
        }
        text = contentType;
        if (frozen || contentType.indexOf(';') < 0) {
            return;
        }
        Matcher named = CHARSET.matcher(contentType);
        if (named.find()) {
            charset = named.group(1) != null ? named.group(1) : named.group(2);
        }
    }

    void setCharset(@Nullable String name) {
        if (!frozen) {
            charset = name;
            text = text == null ? null : CHARSET.matcher(text).replaceFirst("");
        }
    }

    @Nullable
    String charset() {
        return charset;
    }

    /** The whole value of the header; nothing when no media type was set. */
    @Nullable
    String contentType() {
        if (text == null || charset == null) {
            return text;
        }
        Matcher named = CHARSET.matcher(text);
        if (named.find()) {
            String inText = named.group(1) != null ? named.group(1) : named.group(2);
            return inText.equalsIgnoreCase(charset)
                    ? text
                    : named.replaceFirst(Matcher.quoteReplacement(";charset=" + charset));
        }
        // JSON has no charset parameter, and is always UTF-8.
        boolean selfEvident = MediaType.isJson(text) && charset.equalsIgnoreCase("UTF-8");
        return selfEvident ? text : text + ";charset=" + charset;
    }

    /** Fixes the encoding for a writer: the one that was set, else the container's default for this media type. */
    String freeze(@Nullable HttpServletResponse container) {
        if (charset == null) {
            charset = container == null ? SPECIFIED_DEFAULT : inferred(container);
        }
        frozen = true;
        return charset;
    }

    private String inferred(HttpServletResponse container) {
        container.setContentType(text);
        String name = container.getCharacterEncoding();
        return name == null ? SPECIFIED_DEFAULT : name;
    }

    void reset() {
        text = null;
        charset = null;
        frozen = false;
    }
}
