package dev.semel.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files of a report: what was printed, every figure, and the charts. */
public final class ReportFiles {

    private ReportFiles() {}

    /** Writes them into a directory, which is made if need be; what an earlier run left there is replaced. */
    public static List<Path> write(Report report, String detail, Path directory) throws IOException {
        Files.createDirectories(directory);
        List<Path> written = new ArrayList<>();
        written.add(write(directory.resolve(report.suite() + ".txt"), detail + "\n\n" + TextReport.of(report)));
        written.add(write(directory.resolve(report.suite() + ".csv"), CsvReport.of(report)));
        if (!report.charts().isEmpty()) {
            String svg = SvgReport.of("semel bench: " + report.suite(), detail, report.charts());
            written.add(write(directory.resolve(report.suite() + ".svg"), svg));
        }
        return written;
    }

    private static Path write(Path file, String content) throws IOException {
        return Files.writeString(file, content);
    }
}
