package dev.millrace.connectors.testkit.broker;

/** The half of {@link BrokerContract} that is about the server and its clients; the other half is {@link JobContract}. */
public abstract class ClientContract extends Served
        implements TopicChapter, PublishChapter, SubscribeChapter, GroupChapter, OptionsChapter, ServerChapter {}
