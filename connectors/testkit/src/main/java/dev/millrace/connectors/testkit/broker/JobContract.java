package dev.millrace.connectors.testkit.broker;

/** The half of {@link BrokerContract} that is about the source and the sink of a job; the other half is {@link ClientContract}. */
public abstract class JobContract extends Served implements SourceChapter, RestartChapter, SinkChapter {}
