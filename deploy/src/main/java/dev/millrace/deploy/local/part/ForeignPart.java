package dev.millrace.deploy.local.part;

/** A part that a person runs: never started, stopped or killed here, and how it is, is seen by what the others do. */
abstract class ForeignPart implements Part {
    @Override
    public final boolean isForeign() {
        return true;
    }

    @Override
    public final boolean isAlive() {
        return true;
    }

    @Override
    public final long pid() {
        return 0;
    }

    @Override
    public final void kill() {}

    @Override
    public final void stop() {}

    @Override
    public final String metricsUrl() {
        return "";
    }

    @Override
    public final String log() {
        return "";
    }
}
