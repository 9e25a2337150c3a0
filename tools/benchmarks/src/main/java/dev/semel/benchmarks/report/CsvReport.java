package dev.semel.benchmarks.report;

import java.util.Locale;

/** Every figure of every round, as CSV by RFC 4180. */
public final class CsvReport {

    private static final String HEAD = "suite,benchmark,contender,round,metric,value,unit";

    private CsvReport() {}

    public static String of(Report report) {
        StringBuilder text = new StringBuilder(HEAD).append("\r\n");
        for (Sample sample : report.samples()) {
            text.append(cell(report.suite()))
                    .append(',')
                    .append(cell(sample.benchmark()))
                    .append(',')
                    .append(cell(sample.contender()))
                    .append(',')
                    .append(sample.round())
                    .append(',')
                    .append(cell(sample.metric()))
                    .append(',')
                    .append(String.format(Locale.ROOT, "%.3f", sample.value()))
                    .append(',')
                    .append(cell(sample.unit()))
                    .append("\r\n");
        }
        return text.toString();
    }

    private static String cell(String text) {
        return text.matches("[^,\"\r\n]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
