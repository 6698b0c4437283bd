package dev.millrace.deploy.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.AuditNote;
import dev.millrace.deploy.look.StackAudit;
import dev.millrace.deploy.look.StackStore;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace audit}: store, and result topic, against the generator's ledger. */
@CommandLine.Command(
        name = "audit",
        description = "Compare every row in the store that is settled with what the generator knows it sent.",
        footer = {
            "",
            "Exit code 0: something was checked and all of it is equal. 1: a difference, or nothing could be checked.",
            "A stack started with --results topic has its result topic compared too."
        })
public final class AuditCommand implements Command {
    /** What is printed begins so: the audit came to its end. */
    public static final String TABLE = "store against ledger";

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Selection selection;

    @Option(names = "--json", description = "one line of JSON")
    boolean json;

    @Option(names = "--topic", description = "insist on the result topic: an error when the stack has none")
    boolean topic;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "60s",
            description = "wait at most this long for the first row, and then for its late readings (default: 60s)")
    String wait;

    @Override
    public Integer call() {
        Duration bound = bound(wait);
        RunDirectory directory = selection.stack();
        StackSettings settings = directory
                .settings()
                .orElseThrow(() ->
                        new UserException("there is no " + directory.stackFile() + "; start the stack: millrace up"));
        if (topic && !settings.resultsToTopic()) {
            throw new UserException("stack '" + directory.broker()
                    + "' writes no result topic; it does when it is started" + " with --results topic");
        }
        StackAudit.Finding finding;
        try (StoreClient store = StackStore.connect(directory)) {
            if (settings.resultsToTopic()) {
                try (BrokerClient broker = broker(directory)) {
                    finding = new StackAudit(directory, settings, store, broker, progress()).run(bound);
                }
            } else {
                finding = new StackAudit(directory, settings, store, null, progress()).run(bound);
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? json(finding) + "\n" : text(finding));
        out.flush();
        AuditNote.of(Instant.now(), finding).leaveIn(directory);
        return finding.ok() ? Millrace.OK : Millrace.OWN_FAULT;
    }

    static Duration bound(String text) {
        try {
            return Values.duration(text);
        } catch (IllegalArgumentException e) {
            throw new UserException("--wait: " + e.getMessage(), e);
        }
    }

    private static BrokerClient broker(RunDirectory directory) {
        StackState state = directory.presentState();
        return Installation.of(directory).load(directory.broker()).connect(state.brokerOptions());
    }

    /** Only for a person who watches: in a script the result is what counts. */
    private Consumer<String> progress() {
        PrintWriter err = spec.commandLine().getErr();
        return System.console() == null || json
                ? line -> {}
                : line -> {
                    err.println("audit: " + line);
                    err.flush();
                };
    }

    static String json(StackAudit.Finding finding) {
        Map<String, Object> map = new LinkedHashMap<>(finding.store().asMap());
        map.put("ok", finding.ok());
        if (finding.topic() != null) {
            Map<String, Object> topic = new LinkedHashMap<>(finding.topic().asMap());
            topic.put("repeated", finding.topicRepeated());
            topic.put("superseded", finding.topicSuperseded());
            map.put("topic", topic);
        }
        try {
            return new ObjectMapper().writeValueAsString(map);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the audit's result is not JSON", e);
        }
    }

    static String text(StackAudit.Finding finding) {
        StringBuilder text =
                new StringBuilder(TABLE + "\n").append(finding.store().table());
        if (finding.topic() != null) {
            text.append("\nresult topic against ledger\n")
                    .append(finding.topic().table().replace("The store ", "The topic "))
                    .append("Repetitions in the topic, which is written at least once: ")
                    .append(finding.topicRepeated())
                    .append("; rows that another one of the same window follows: ")
                    .append(finding.topicSuperseded())
                    .append(".\n");
        }
        return text.toString();
    }
}
