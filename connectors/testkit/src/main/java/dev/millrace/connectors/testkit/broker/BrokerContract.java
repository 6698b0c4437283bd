package dev.millrace.connectors.testkit.broker;

/**
 * The contract of {@code connectors/api/broker}, chapter by chapter; what holds when connections end and readers are killed is
 * {@link FaultContract}. A plugin has a test of each, which says by {@link Subject} which broker and with which options a local
 * server is started, and carries {@code @Tag("server")} when that is a process. Where that server is slow, {@link ClientContract} and
 * {@link JobContract} are the same sentences in two classes, which run side by side.
 */
public abstract class BrokerContract extends ClientContract implements SourceChapter, RestartChapter, SinkChapter {}
