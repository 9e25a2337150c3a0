package dev.semel.benchmarks.engine;

/**
 * What one benchmark measured.
 *
 * @param benchmark its name, with its parameters
 * @param microsPerOp the mean time of one operation
 * @param errorMicros half of the 99.9 % confidence interval of the mean; not a number where there is too little to tell
 * @param bytesPerOp what one operation allocates
 */
public record EngineRow(String benchmark, double microsPerOp, double errorMicros, double bytesPerOp) {}
