package dev.semel.http;

import dev.semel.fingerprint.MediaType;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.fileupload.ParameterParser;
import org.jspecify.annotations.Nullable;

/** The parts of a {@code Content-Type} that matter to the protocol. */
public final class MediaTypes {

    private MediaTypes() {}

    /** Type and subtype in lower case, without parameters. */
    public static String bare(String contentType) {
        int parameters = contentType.indexOf(';');
        return (parameters < 0 ? contentType : contentType.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    /**
     * The parts that count in a fingerprint: type and subtype, and the character set, which changes what the bytes mean. For
     * JSON that is UTF-8, unless another is named. A boundary does not count, since it is another on every retry.
     */
    static String significant(@Nullable String contentType) {
        if (contentType == null) {
            return "";
        }
        String bare = bare(contentType);
        String charset = MediaType.isJson(contentType)
                ? MediaType.charsetOtherThanUtf8(contentType)
                : parameter(contentType, "charset");
        return charset == null ? bare : bare + ";charset=" + charset.toLowerCase(Locale.ROOT);
    }

    public static boolean isMultipartForm(@Nullable String contentType) {
        return contentType != null && bare(contentType).equals("multipart/form-data");
    }

    public static boolean isUrlEncodedForm(@Nullable String contentType) {
        return contentType != null && bare(contentType).equals("application/x-www-form-urlencoded");
    }

    /** The value of a parameter, such as {@code charset} or {@code boundary}. */
    static @Nullable String parameter(String headerValue, String name) {
        ParameterParser parser = new ParameterParser();
        parser.setLowerCaseNames(true);
        Map<String, @Nullable String> parameters = parser.parse(headerValue, ';');
        return parameters.get(name);
    }
}
