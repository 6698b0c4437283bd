package dev.millrace.brokers.pulsar.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.brokers.pulsar.LocalPulsarFiles;
import dev.millrace.connectors.api.lint.Advice;
import dev.millrace.connectors.api.lint.Finding;
import dev.millrace.connectors.api.lint.KnownSettings;
import dev.millrace.connectors.api.lint.Linter;
import dev.millrace.connectors.api.lint.SettingLine;
import dev.millrace.connectors.api.lint.SettingsKind;
import dev.millrace.connectors.api.lint.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Needs the server's distribution, not a running server. */
@Tag("server")
class PulsarLintTest {
    private static final Map<String, SettingsKind> KINDS = Stream.of(
                    new BrokerKind(), new BookieKind(), new StandaloneKind(), new RocksDbKind())
            .collect(Collectors.toMap(SettingsKind::name, Function.identity()));
    private static final Map<String, KnownSettings> KNOWN =
            KINDS.values().stream().collect(Collectors.toMap(SettingsKind::name, SettingsKind::known));

    static Stream<SettingsKind> kinds() {
        return KINDS.values().stream();
    }

    private static List<Finding> check(String kind, String text) {
        return new Linter(KNOWN.get(kind)).check(KINDS.get(kind).parse("", text));
    }

    /** Every line of published advice on broker and bookie, as it is published. */
    @ParameterizedTest
    @CsvSource({
        "pulsar-broker, numIOThreads=16, ADVICE, more than 8",
        "pulsar-broker, brokerMaxConnections=50000, HARMFUL, the default of 0 means that there is none",
        "pulsar-broker, maxConcurrentLookupRequest=100000, NOTE, lookups of topics only",
        "pulsar-broker, managedLedgerCacheSizeMB=4096, NOTE, a fifth of the direct memory",
        "pulsar-broker, managedLedgerCacheEvictionTimeSeconds=10, MISNAMED, managedLedgerCacheEvictionTimeThresholdMillis",
        "pulsar-broker, managedLedgerReadAheadCacheEnabled=true, MISNAMED, dbStorage_readAheadCacheMaxSizeMb",
        "pulsar-broker, batchMessageEnabled=true, MISNAMED, enableBatching",
        "pulsar-broker, maxBatchSizeBytes=1048576, MISNAMED, batchingMaxBytes",
        "pulsar-broker, loadBalancerAutoBundleSplitEnabled=true, NOTE, the default is true",
        "pulsar-broker, loadBalancerBrokerThresholdSkew=10, MISNAMED, loadBalancerBrokerThresholdShedderPercentage",
        "pulsar-broker, maxUnackedMessagesPerConsumer=100000, ADVICE, no effect on exclusive subscriptions",
        "pulsar-broker, dispatchThrottlingRatePerSubscriptionInMsg=50000, HARMFUL, caps each subscription",
        "pulsar-broker, maxUnackedMessagesPerSubscriptionOnBrokerBlocked=0.5, INERT, maxUnackedMessagesPerBroker",
        "bookkeeper, journalSyncData=false, HARMFUL, gives up fsync",
        "bookkeeper, journalMaxSizeMB=2048, NOTE, the shipped file has 2048",
        "bookkeeper, journalAdaptiveGroupWrites=true, NOTE, the default is true",
        "bookkeeper, ledgerStorageClass=org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage, NOTE, DbLedgerStorage",
        "bookkeeper, journalDirectories=data/journal, NOTE, a device of its own",
        "bookkeeper, ledgerDirectories=data/ledgers, NOTE, apart from the journal",
        "bookkeeper-rocksdb, write_buffer_size=134217728, NOTE, 64 MB",
        "bookkeeper-rocksdb, level0_file_num_compaction_trigger=8, NOTE, has 4",
        "bookkeeper-rocksdb, block_cache=1073741824, NOTE, 206150041",
        "bookkeeper-rocksdb, compression=kZSTDCompression, ADVICE, it is a codec",
        "bookkeeper-rocksdb, filter_policy=rocksdb.BloomFilter:10:true, ADVICE, block-based builder"
    })
    @DisplayName("what is published about a setting gets the verdict that is true")
    void published(String kind, String line, Verdict verdict, String sentence) {
        assertThat(check(kind, line)).singleElement().satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(verdict);
            assertThat(finding.sentence()).contains(sentence);
        });
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @DisplayName("what is said to be misnamed does not exist, and all else that is advised on does")
    void namesOfTheAdvice(SettingsKind kind) {
        KnownSettings known = KNOWN.get(kind.name());
        assertThat(known.advice()).isNotEmpty().allSatisfy(advice -> assertThat(
                        known.find(advice.key()).isPresent())
                .as(advice.key())
                .isEqualTo(advice.verdict() != Verdict.MISNAMED));
    }

    @Test
    @DisplayName("the right names exist, where they are said to be")
    void rightNames() {
        List<String> ofProducers = Arrays.stream(ProducerBuilder.class.getMethods())
                .map(method -> method.getName())
                .toList();
        assertThat(KNOWN.get("pulsar-broker").advice().stream()
                        .filter(advice -> advice.verdict() == Verdict.MISNAMED)
                        .map(Advice::right)
                        .map(right -> right.orElseThrow().split(" ")[0]))
                .isNotEmpty()
                .allMatch(name -> KNOWN.get("pulsar-standalone").find(name).isPresent() || ofProducers.contains(name));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @DisplayName("in the files that the servers ship there is nothing to find")
    void shipped(SettingsKind kind) {
        Distribution distribution = new Distribution(LocalPulsarFiles.distribution());
        assertThat(kind.fileNames()).allSatisfy(file -> {
            List<SettingLine> settings = kind.parse(file, distribution.shippedText(file));
            assertThat(settings).hasSizeGreaterThan(5);
            assertThat(new Linter(KNOWN.get(kind.name())).check(settings))
                    .filteredOn(finding -> finding.verdict() != Verdict.NOTE)
                    .isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "pulsar-broker, zooKeeperSessionTimeoutMillis=60000, RENAMED, metadataStoreSessionTimeoutMillis",
        "pulsar-broker, globalZookeeperServers=a:2181, RENAMED, configurationMetadataStoreUrl",
        "pulsar-broker, zooKeeperAllowReadOnlyOperations=true, DEPRECATED,",
        "pulsar-broker, defaultNumberOfNamespaceBundels=8, UNKNOWN, defaultNumberOfNamespaceBundles",
        "pulsar-broker, journalSyncData=true, UNKNOWN,",
        "pulsar-broker, numHttpServerThreads=many, WRONG_VALUE,",
        "pulsar-broker, authenticationEnabled=yes, WRONG_VALUE,",
        "pulsar-broker, authorizationEnabled=1, WRONG_VALUE,",
        "bookkeeper, journalMaxSizeMb=1024, UNKNOWN, journalMaxSizeMB",
        "bookkeeper, brokerServicePort=6650, UNKNOWN,",
        "bookkeeper-rocksdb, write_bufer_size=1, UNKNOWN, write_buffer_size"
    })
    @DisplayName("old names, typos, wrong types and settings of another server are found")
    void wrong(String kind, String line, Verdict verdict, String right) {
        assertThat(check(kind, line)).singleElement().satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(verdict);
            if (right != null) {
                assertThat(finding.right()).contains(right);
            }
        });
    }

    @Test
    @DisplayName("what a bookie's own classes read may be there, though no shipped file has it")
    void fromTheClasses() {
        assertThat(
                        check(
                                "bookkeeper",
                                "dbStorage_directIOEntryLogger=true\ndbStorage_rocksDB_checksum_type=kxxHash64\nentryLocationRocksdbConf=own.conf"))
                .isEmpty();
        assertThat(check("bookkeeper-rocksdb", "[DBOptions]\n  max_background_flushes=2"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "pulsar-broker, tokenPublicAlg=RS256",
        "pulsar-broker, tokenAllowedClockSkewSeconds=5",
        "pulsar-broker, openIDAllowedTokenIssuers=https://example.org",
        "pulsar-broker, openIDAllowedAudiences=a",
        "pulsar-broker, openIDCacheSize=5",
        "pulsar-broker, s3ManagedLedgerOffloadRole=arn",
        "pulsar-broker, s3ManagedLedgerOffloadCredentialId=a",
        "pulsar-broker, managedLedgerOffloadRegion=a",
        "pulsar-broker, managedLedgerOffloadServiceEndpoint=https://example.org",
        "pulsar-broker, managedLedgerOffloadExtraConfigown=a",
        "pulsar-broker, reppDnsResolverClass=a",
        "pulsar-broker, networkTopologyScriptFileName=a",
        "pulsar-broker, topicLevelPoliciesEnabled=FALSE",
        "bookkeeper, networkTopologyScriptFileName=a",
        "bookkeeper, reppRegionsToWrite=a;b",
        "bookkeeper, reppEnableValidation=false",
        "bookkeeper, saslJaasBookieSectionName=Bookie",
        "bookkeeper, saslJaasClientAllowedIds=.*"
    })
    @DisplayName("what classes read that a server loads by name may be there")
    void loadedByName(String kind, String line) {
        assertThat(check(kind, line)).isEmpty();
    }

    @Test
    @DisplayName("a settings file that is shipped is of a kind, or known to be of none")
    void everyShippedFile() throws IOException {
        Path conf = new Distribution(LocalPulsarFiles.distribution()).folder().resolve("conf");
        try (Stream<Path> files = Files.list(conf)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".conf")))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(kinds())
                            .anyMatch(kind -> kind.fileNames().contains(name)
                                    || kind.foreignFileNames().contains(name)));
        }
    }

    @Test
    @DisplayName("a share of unacknowledged messages counts once there is something to share")
    void notInert() {
        assertThat(check(
                        "pulsar-broker",
                        "maxUnackedMessagesPerBroker=1000\nmaxUnackedMessagesPerSubscriptionOnBrokerBlocked=0.5"))
                .isEmpty();
    }
}
