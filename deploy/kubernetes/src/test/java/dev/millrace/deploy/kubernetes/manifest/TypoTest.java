package dev.millrace.deploy.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Mistakes that people make, planted one by one: each is found, and the finding says where it is. */
class TypoTest {
    private static final Manifests MANIFESTS = Manifests.ofClone();

    /**
     * The file, the object, the field, what becomes of it, and what a finding names (empty: that field). A file of an
     * overlay is planted in every overlay; BROKER is its broker.
     */
    private static final String TABLE =
            """
            base/account.yaml       | ServiceAccount/millrace         | automountServiceAccountToken | name automountServiceAccountTokn |
            base/account.yaml       | ServiceAccount/millrace         | automountServiceAccountToken | value "false" |
            base/account.yaml       | ServiceAccount/millrace         | automountServiceAccountToken | gone | automountServiceAccountToken must be false
            base/account.yaml       | ServiceAccount/millrace         | metadata.name | value milrace |
            base/account.yaml       | ServiceAccount/millrace         | kind | value ServiceAcount |
            base/generator.yaml     | Service/generator               | spec.clusterIP | name clusterIp |
            base/generator.yaml     | Service/generator               | spec.clusterIP | value none |
            base/generator.yaml     | Service/generator               | spec.ports[0].targetPort | value htpp |
            base/generator.yaml     | Service/generator               | spec.ports[0].port | value 8900 |
            base/generator.yaml     | Service/generator               | spec.ports[0].port | value "8090" |
            base/generator.yaml     | StatefulSet/generator           | spec.serviceName | value genrator |
            base/generator.yaml     | StatefulSet/generator           | spec.serviceName | name servicename |
            base/generator.yaml     | StatefulSet/generator           | apiVersion | value app/v1 |
            base/generator.yaml     | StatefulSet/generator           | kind | value Statefulset |
            base/generator.yaml     | StatefulSet/generator           | spec.template.spec.containers | name container |
            base/generator.yaml     | StatefulSet/generator           | spec.template.spec.containers[0].livenessProbe.httpGet.port | value 8091 |
            base/generator.yaml     | StatefulSet/generator           | spec.template.spec.containers[0].livenessProbe | gone | containers[0]
            base/generator.yaml     | StatefulSet/generator           | spec.template.spec.containers[0].readinessProbe.httpGet | name httpget |
            base/generator.yaml     | StatefulSet/generator           | spec.template.spec.initContainers[0].env[0].valueFrom.fieldRef.fieldPath | value status.podIp |
            base/generator.yaml     | StatefulSet/generator           | spec.template.spec.initContainers[0].args[2] | value generater | args
            base/generator.yaml     | StatefulSet/generator           | spec.volumeClaimTemplates[0].spec.accessModes[0] | value ReadWriteOnse | accessModes
            base/generator.yaml     | StatefulSet/generator           | spec.volumeClaimTemplates[0].spec.resources.requests.storage | value 5GB | requests
            base/generator.yaml     | StatefulSet/generator           | spec.volumeClaimTemplates[0].metadata.name | value date |
            base/jobmanager.yaml    | PersistentVolumeClaim/checkpoints | metadata.name | value checkpoint |
            base/jobmanager.yaml    | PersistentVolumeClaim/checkpoints | spec.resources.requests | name request |
            base/jobmanager.yaml    | PersistentVolumeClaim/checkpoints | spec.resources.requests.storage | value 10Mi | requests
            base/jobmanager.yaml    | Service/jobmanager              | spec.selector[app.kubernetes.io/name] | value jobmanger | spec.selector
            base/jobmanager.yaml    | Service/jobmanager              | spec.ports[1].port | value 6132 |
            base/jobmanager.yaml    | Service/jobmanager              | spec.publishNotReadyAddresses | value yess |
            base/jobmanager.yaml    | StatefulSet/jobmanager          | spec.template.metadata.labels[app.kubernetes.io/name] | value job-manager | spec.selector
            base/jobmanager.yaml    | StatefulSet/jobmanager          | spec.replicas | value two |
            base/jobmanager.yaml    | StatefulSet/jobmanager          | spec.replicas | value 2 |
            base/jobmanager.yaml    | StatefulSet/jobmanager          | spec.template.spec.containers[0].ports[1].containerPort | value 6132 |
            base/jobmanager.yaml    | StatefulSet/jobmanager          | spec.template.spec.containers[0].ports[3].name | value metric | ports[3]
            base/jobmanager.yaml    | StatefulSet/jobmanager          | spec.template.spec.containers[0].resources.limits.memory | value 768m | limits
            base/jobmanager.yaml    | StatefulSet/jobmanager          | spec.template.spec.volumes[4].persistentVolumeClaim.claimName | value checkpoint |
            base/jobmanager.yaml    | StatefulSet/jobmanager          | spec.template.spec.volumes[0].projected.sources[1].secret.items[0].key | value store-id |
            base/jobmanager.yaml    | StatefulSet/jobmanager          | spec.template.spec.volumes[0].projected.sources[1].secret.name | name secretName |
            base/jobmanager.yaml    | StatefulSet/jobmanager          | spec.template.spec.volumes[0].projected.defaultMode | value 0044 |
            base/jobmanager.yaml    | PodDisruptionBudget/jobmanager  | spec.maxUnavailable | name maxUnavailble |
            base/jobmanager.yaml    | PodDisruptionBudget/jobmanager  | spec.unhealthyPodEvictionPolicy | value AlwaysAlow |
            base/jobmanager.yaml    | PodDisruptionBudget/jobmanager  | apiVersion | value policy/v1beta1 |
            base/kustomization.yaml | Kustomization                   | resources | name resorces |
            base/kustomization.yaml | Kustomization                   | resources[2] | value stores.yaml |
            base/kustomization.yaml | Kustomization                   | labels[0].includeTemplates | name includeTemplate |
            base/kustomization.yaml | Kustomization                   | labels[0].pairs[app.kubernetes.io/part-of] | value milrace | labels[0].pairs
            base/kustomization.yaml | Kustomization                   | apiVersion | value kustomize.config.k8s.io/v1beta |
            base/network.yaml       | NetworkPolicy/nothing-else      | spec.policyTypes[1] | value Egres | spec.policyTypes
            base/network.yaml       | NetworkPolicy/nothing-else      | spec.podSelector | name podSelecter |
            base/network.yaml       | NetworkPolicy/nothing-else      | spec.egress[1].ports[0].protocol | value UPD |
            base/network.yaml       | NetworkPolicy/nothing-else      | spec.egress[1].ports[0].port | value 35 |
            base/network.yaml       | NetworkPolicy/store             | spec.ingress[0].from[1].podSelector.matchLabels[app.kubernetes.io/name] | value taskmanger | from[1]
            base/network.yaml       | NetworkPolicy/store             | spec.ingress[0].ports[0].port | value 8132 |
            base/network.yaml       | NetworkPolicy/store             | spec.ingress[0].from | name form |
            base/network.yaml       | NetworkPolicy/taskmanager       | spec.podSelector.matchLabels | name matchLabel |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.containers[0].env[0].value | value 2 |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.containers[0].env[0].name | value MALOC_ARENA_MAX |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.containers[0].startupProbe.httpGet.path | value /pong |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.containers[0].startupProbe.httpGet.httpHeaders[0].value | value store:8132 |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.containers[0].startupProbe.failureThreshold | value 6 | startupProbe
            base/store.yaml         | StatefulSet/store               | spec.template.spec.containers[0].image | value millrace:latest |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.containers[0].volumeMounts[1].mountPath | value /run/milrace |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.containers[0].volumeMounts[3].name | value dta |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.containers[0].volumeMounts[0].readOnly | value flase |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.securityContext.seccompProfile.type | value RuntimeDefualt |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.securityContext.runAsNonRoot | name runAsNonroot |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.securityContext.fsGroupChangePolicy | value OnRootMissmatch |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.containers[0].securityContext.capabilities.drop[0] | value All | drop
            base/store.yaml         | StatefulSet/store               | spec.template.spec.containers[0].securityContext.readOnlyRootFilesystem | name readOnlyRootFileSystem |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.volumes[1].emptyDir | name emptydir |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.volumes[1].emptyDir.sizeLimit | value 256MB |
            base/store.yaml         | StatefulSet/store               | spec.template.spec.volumes[0].projected.sources[0].configMap.name | value stak |
            base/taskmanager.yaml   | Deployment/taskmanager          | spec.strategy.type | value Recrate |
            base/taskmanager.yaml   | Deployment/taskmanager          | spec.selector | gone | spec
            base/taskmanager.yaml   | Deployment/taskmanager          | spec.template.spec.serviceAccountName | value milrace |
            base/taskmanager.yaml   | Deployment/taskmanager          | spec.template.spec.enableServiceLinks | name enableServicelinks |
            base/taskmanager.yaml   | Deployment/taskmanager          | spec.template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution | name requiredDuringSchedulingIgnoredDuringExecutions |
            base/taskmanager.yaml   | Deployment/taskmanager          | spec.template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey | value kubernetes.io/hostnme |
            base/taskmanager.yaml   | Deployment/taskmanager          | spec.template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchLabels[app.kubernetes.io/name] | value jobmanagr | labelSelector
            base/taskmanager.yaml   | Deployment/taskmanager          | spec.template.spec.containers[0].resources.requests.cpu | value 500M | requests
            base/taskmanager.yaml   | Deployment/taskmanager          | spec.template.spec.containers[0].resources.requests.memory | value 1408 | requests
            base/taskmanager.yaml   | Deployment/taskmanager          | spec.template.spec.containers[0].resources.limits | gone | resources
            tiny/BROKER.yaml        | Service/BROKER                  | spec.ports[0].name | value brokr |
            tiny/BROKER.yaml        | Service/BROKER                  | metadata.name | value BROKERs | spec.selector
            tiny/BROKER.yaml        | StatefulSet/BROKER              | spec.template.spec.containers[0].args[1] | value -Xmx460 |
            tiny/BROKER.yaml        | StatefulSet/BROKER              | spec.template.spec.containers[0].args[2] | value -XX:MaxDirectMemorysize=128m |
            tiny/BROKER.yaml        | StatefulSet/BROKER              | spec.template.spec.containers[0].args[1] | value -Xmx4600m | limits.memory
            tiny/BROKER.yaml        | StatefulSet/BROKER              | spec.template.spec.containers[0].image | value BROKER |
            tiny/BROKER.yaml        | StatefulSet/BROKER              | spec.template.spec.containers[0].command[0] | value jave | command
            tiny/BROKER.yaml        | StatefulSet/BROKER              | spec.template.spec.containers[0].volumeMounts[0].mountPath | value /etc/broker |
            tiny/BROKER.yaml        | StatefulSet/BROKER              | spec.template.spec.terminationGracePeriodSeconds | value 60s |
            tiny/BROKER.yaml        | StatefulSet/BROKER              | spec.template.spec.containers[0].securityContext.allowPrivilegeEscalation | value True |
            tiny/network.yaml       | NetworkPolicy/BROKER            | spec.ingress[0].ports | name port |
            tiny/network.yaml       | NetworkPolicy/BROKER            | spec.podSelector.matchLabels[app.kubernetes.io/name] | value brokers | spec.podSelector
            tiny/network.yaml       | NetworkPolicy/BROKER            | spec.policyTypes[0] | value ingress | spec.policyTypes
            tiny/kustomization.yaml | Kustomization                   | resources[0] | value ../../../../deploy/kubernetes/base |
            tiny/kustomization.yaml | Kustomization                   | configMapGenerator[0].files[1] | value broker.propertys |
            tiny/kustomization.yaml | Kustomization                   | configMapGenerator | name configmapGenerator |
            tiny/kustomization.yaml | Kustomization                   | namespace | value millrace-brokr |
            tiny/stack.properties   |                                 | broker | name borker | borker
            tiny/stack.properties   |                                 | broker | value none |
            tiny/broker.properties  |                                 | address | value BROKER:1234 |
            tiny/broker.properties  |                                 | address | value BROKRE:9092 |
            tiny/log4j2.properties  |                                 | rootLogger.level | value wran |
            tiny/log4j2.properties  |                                 | appender.output.type | value Consol | Consol
            tiny/log4j2.properties  |                                 | status | name statsu | statsu
            """;

    /** A row of the table for one file. */
    record Planted(Typo typo, String field) {
        @Override
        public String toString() {
            return typo.toString();
        }
    }

    static List<Planted> planted() {
        List<Planted> planted = new ArrayList<>();
        TABLE.lines().forEach(row -> {
            String[] cells = Stream.of(row.split("\\|", -1)).map(String::strip).toArray(String[]::new);
            if (cells[0].startsWith("base/")) {
                planted.add(planted(cells, Manifests.BASE + cells[0].substring("base".length()), ""));
            } else {
                for (String overlay : MANIFESTS.overlays()) {
                    String file = overlay.substring(0, overlay.lastIndexOf('/') + 1) + cells[0];
                    String broker = overlay.split("/")[1];
                    planted.add(planted(cells, file.replace("BROKER", broker), broker));
                }
            }
        });
        return planted;
    }

    private static Planted planted(String[] cells, String file, String broker) {
        String[] becomes = cells[3].split(" ", 2);
        Typo typo = new Typo(
                file,
                cells[1].replace("BROKER", broker),
                cells[2],
                Typo.Change.valueOf(becomes[0].toUpperCase(Locale.ROOT)),
                becomes.length == 1 ? "" : becomes[1].replace("BROKER", broker));
        String field = cells[4].isEmpty() ? named(typo) : cells[4];
        return new Planted(typo, field);
    }

    private static String named(Typo typo) {
        int last = Math.max(typo.path().lastIndexOf('.') + 1, 0);
        return typo.change() == Typo.Change.NAME ? typo.path().substring(0, last) + typo.text() : typo.path();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("planted")
    @DisplayName("a planted mistake is found, and the finding names the file, the object and the field")
    void found(Planted planted) {
        Typo typo = planted.typo();
        assertThat(Check.of(typo.in(MANIFESTS))).as("findings on " + typo).anySatisfy(finding -> {
            assertThat(finding.file()).isEqualTo(typo.file());
            assertThat(finding.field() + ": " + finding.sentence()).contains(planted.field());
            assertThat(finding.line()).isPositive();
            assertThat(finding.sentence()).isNotBlank();
        });
    }

    @Test
    @DisplayName("the table has at least 60 mistakes, no two the same, in every kind of file")
    void enough() {
        assertThat(TABLE.lines()).hasSizeGreaterThan(60).doesNotHaveDuplicates();
        assertThat(planted().stream().map(planted -> planted.typo().file()).distinct())
                .containsAll(MANIFESTS.objects().keySet())
                .hasSizeGreaterThan(MANIFESTS.objects().size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    kind: Service, kind: Pod                       | no YAML
                    - kind: Service                                | no object
                    kind: Service;kind: Service                    | twice
                    spec:;  a: 1;   b: 2                           | no YAML
                    a: &x 1                                        | anchor
                    """)
    @DisplayName("what some readers of YAML pass over is refused")
    void unreadable(String lines, String said) {
        Manifests manifests = Manifests.of(Map.of("a.yaml", lines.replace(';', '\n')));
        assertThat(manifests.unreadable()).singleElement().satisfies(finding -> {
            assertThat(finding.line()).isPositive();
            assertThat(finding.sentence()).contains(said);
        });
    }
}
