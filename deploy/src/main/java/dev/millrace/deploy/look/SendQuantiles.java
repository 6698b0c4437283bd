package dev.millrace.deploy.look;

/** How long sends took from the intended send time to the broker's receipt, milliseconds. */
public record SendQuantiles(double p50Millis, double p99Millis) {}
