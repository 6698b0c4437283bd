package dev.millrace.deploy.kubernetes.manifest;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Alerts have what whoever is woken by one needs: how bad it is, what is wrong and what to do. Whether they go off is tried elsewhere. */
final class AlertRule {
    private static final Set<String> SEVERITIES = Set.of("warning", "critical");

    private AlertRule() {}

    /** Of an object of any kind. */
    static void check(Field object, Consumer<Finding> found) {
        if (!object.is("kind", "PrometheusRule")) {
            return;
        }
        for (Field group : object.items("spec.groups")) {
            if (group.items("rules").isEmpty()) {
                found.accept(group.finding("it has no rules"));
            }
            group.items("rules").forEach(rule -> alert(rule, found));
        }
    }

    private static void alert(Field rule, Consumer<Finding> found) {
        if (!rule.text("alert").matches("Millrace([A-Z][a-z]+)+")) {
            found.accept(rule.nearest("alert").finding("an alert is called Millrace, and after what is wrong"));
        }
        if (!rule.fields("labels").keySet().equals(Set.of("severity"))
                || !SEVERITIES.contains(rule.text("labels.severity"))) {
            found.accept(rule.nearest("labels").finding("it must have a severity, one of " + SEVERITIES));
        }
        if (!rule.fields("annotations").keySet().equals(Set.of("summary", "description"))) {
            found.accept(rule.nearest("annotations")
                    .finding("it must have a summary, what is wrong, and a description, what to do"));
        }
        Stream.of("summary", "description")
                .flatMap(name -> rule.find("annotations." + name).stream())
                .filter(text -> text.text().length() < 20)
                .forEach(text -> found.accept(text.finding("that is no sentence")));
        if (rule.find("for").isPresent() && !rule.text("for").matches("[1-9]\\d?m")) {
            found.accept(rule.nearest("for").finding("it must be minutes: 5m"));
        }
        if (List.of("", "0").contains(rule.text("expr"))) {
            found.accept(rule.nearest("expr").finding("it asks for nothing"));
        }
    }
}
