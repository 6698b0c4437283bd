package dev.millrace.connectors.api.lint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the settings of one file against those that exist. A setting with its default value asks for nothing: of such a one
 * only a wrong name is a finding. A value that is filled in later ({@code ${...}}) is not checked. Thread-safe.
 */
public final class Linter {
    private final KnownSettings known;

    public Linter(KnownSettings known) {
        this.known = known;
    }

    /** All findings, by line; notes included. */
    public List<Finding> check(List<SettingLine> settings) {
        Map<String, String> file = new HashMap<>();
        settings.forEach(setting -> file.put(setting.key(), setting.value()));
        Map<String, Integer> before = new HashMap<>();
        List<Finding> findings = new ArrayList<>();
        for (SettingLine setting : settings) {
            Integer first = before.putIfAbsent(setting.key(), setting.line());
            if (first != null) {
                findings.add(finding(
                        setting,
                        Verdict.REPEATED,
                        "it stands in line " + first + " already, and only one of them counts",
                        Optional.empty()));
            }
            findings.addAll(known.find(setting.key())
                    .map(found -> ofKnown(setting, found, file))
                    .orElseGet(() -> ofOther(setting, file)));
        }
        return findings;
    }

    private List<Finding> ofKnown(SettingLine setting, KnownSetting found, Map<String, String> file) {
        String value = setting.value();
        List<Finding> findings = new ArrayList<>();
        if (value.isEmpty() || value.contains("${")) {
            return findings;
        }
        Optional<String> problem = found.values().problem(value);
        if (problem.isPresent()) {
            findings.add(finding(setting, Verdict.WRONG_VALUE, problem.get(), Optional.empty()));
            return findings;
        }
        boolean asksForNothing = found.values().isDefault(value);
        List<Finding> advised = advised(setting, file).stream()
                .filter(one -> !asksForNothing || one.verdict() == Verdict.NOTE)
                .toList();
        findings.addAll(advised);
        // What is advised knows more of an old name than the server.
        if (advised.isEmpty() && !asksForNothing) {
            found.deprecation().ifPresent(old -> findings.add(ofOld(setting, old)));
        }
        return findings;
    }

    private static Finding ofOld(SettingLine setting, Deprecation old) {
        return old.rightName()
                .map(name -> finding(setting, Verdict.RENAMED, "it is called " + name + " now", old.rightName()))
                .orElseGet(() -> finding(
                        setting,
                        Verdict.DEPRECATED,
                        "it is still taken, but deprecated, and nothing is named in its place",
                        Optional.empty()));
    }

    /** A key that is not the server's; below an open prefix it may be, unless more is known. */
    private List<Finding> ofOther(SettingLine setting, Map<String, String> file) {
        List<Finding> advised = advised(setting, file);
        if (!advised.isEmpty() || known.allows(setting.key())) {
            return advised;
        }
        Optional<String> near = known.nearest(setting.key());
        return List.of(finding(
                setting,
                Verdict.UNKNOWN,
                "there is no such setting in " + known.of()
                        + near.map(name -> "; did you mean '" + name + "'?").orElse(""),
                near));
    }

    private List<Finding> advised(SettingLine setting, Map<String, String> file) {
        return known.advice().stream()
                .filter(one -> one.key().equals(setting.key()))
                .filter(one -> one.condition().holds(setting.value(), file, known))
                .map(one -> finding(setting, one.verdict(), sentence(one), one.right()))
                .toList();
    }

    private static String sentence(Advice advice) {
        return advice.sentence()
                + advice.right().map(right -> "; right is " + right).orElse("");
    }

    private static Finding finding(SettingLine setting, Verdict verdict, String sentence, Optional<String> right) {
        return new Finding(setting.line(), setting.key(), verdict, sentence, right);
    }
}
