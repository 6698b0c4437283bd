package dev.millrace.deploy.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Mistakes that people make in the production shape, planted one by one: each is found, and the finding says in which file. */
class ProductionTypoTest {
    private static final Production PRODUCTION = Production.ofClone();

    /**
     * The file, the object, the field, what becomes of it, and what the finding names (empty: the field). A broker's own are in
     * {@code typos.txt} among its tests.
     */
    private static final String TABLE =
            """
            cluster/storage.yaml | StorageClass/gp3 | provisioner | value ebs.csi.aws.co |
            cluster/storage.yaml | StorageClass/gp3-state | parameters.iops | name iop | parameters
            cluster/storage.yaml | StorageClass/gp3-state | parameters.throughput | value "5000" | parameters
            cluster/storage.yaml | StorageClass/gp3-state | parameters.throughput | value 500 |
            cluster/storage.yaml | StorageClass/gp3-state | parameters.type | value gp2 | parameters
            cluster/storage.yaml | StorageClass/local-nvme | volumeBindingMode | value Immediate |
            cluster/storage.yaml | StorageClass/local-nvme | volumeBindingMode | gone | not before
            cluster/local-volumes.yaml | | classes[0].hostDir | value /mnt/k8s-disk |
            cluster/local-volumes.yaml | | tolerations[0].effect | value NoSchedul | tolerations[0]
            account.yaml | ServiceAccount/flink | metadata.name | value flnk | there is no ServiceAccount
            account.yaml | Role/flink | rules[0].resources | name resource |
            account.yaml | RoleBinding/flink | roleRef.name | value flnik |
            account.yaml | RoleBinding/flink | subjects[0].name | value fink |
            flink.yaml | FlinkDeployment/job | spec.flinkVersion | value v1_2O |
            flink.yaml | FlinkDeployment/job | spec.flinkVersion | value v1_19 |
            flink.yaml | FlinkDeployment/job | spec.mode | value standalon |
            flink.yaml | FlinkDeployment/job | spec.serviceAccount | value flnk |
            flink.yaml | FlinkDeployment/job | spec.flinkConfiguration | name flinkConfig |
            flink.yaml | FlinkDeployment/job | spec.flinkConfiguration[env.java.opts.all] | value "-Xint" |
            flink.yaml | FlinkDeployment/job | spec.flinkConfiguration[taskmanager.numberOfTaskSlots] | value 16 |
            flink.yaml | FlinkDeployment/job | spec.flinkConfiguration[taskmanager.numberOfTaskSlots] | value "15" |
            flink.yaml | FlinkDeployment/job | spec.flinkConfiguration[state.checkpoints.dir] | value s3://milrace-state/checkpoints |
            flink.yaml | FlinkDeployment/job | spec.flinkConfiguration[state.backend.rocksdb.localdir] | value /var/lib/rockdb |
            flink.yaml | FlinkDeployment/job | spec.flinkConfiguration[high-availability.storageDir] | name high-availability.storagedir | high-availability.storageDir
            flink.yaml | FlinkDeployment/job | spec.jobManager.podTemplate.spec.nodeSelector[millrace/role] | value infar | nodeSelector.millrace/role
            flink.yaml | FlinkDeployment/job | spec.taskManager.podTemplate.spec.nodeSelector[millrace/role] | value load | tolerations
            flink.yaml | FlinkDeployment/job | spec.taskManager.podTemplate.spec.tolerations[0].value | value flnk | tolerations[0]
            flink.yaml | FlinkDeployment/job | spec.taskManager.podTemplate.spec.tolerations | name toleration |
            flink.yaml | FlinkDeployment/job | spec.taskManager.resource.memory | value 26gb |
            flink.yaml | FlinkDeployment/job | spec.taskManager.resource | name resources |
            flink.yaml | FlinkDeployment/job | spec.taskManager.podTemplate.spec.volumes[0].ephemeral.volumeClaimTemplate.spec.storageClassName | value gp3-stat |
            flink.yaml | FlinkDeployment/job | spec.taskManager.podTemplate.spec.volumes[0].ephemeral.volumeClaimTemplate | name volumeClaimTemplates |
            flink.yaml | FlinkDeployment/job | spec.taskManager.podTemplate.spec.containers[0].volumeMounts[0].name | value rockdb |
            flink.yaml | FlinkDeployment/job | spec.taskManager.podTemplate.spec.containers[0].name | value flink-main |
            flink.yaml | FlinkDeployment/job | spec.podTemplate.spec.volumes[1].projected.sources[1].secret.name | value clikhouse |
            flink.yaml | FlinkDeployment/job | spec.podTemplate.spec.volumes[0].projected.sources[1].configMap.name | value jobs |
            flink.yaml | FlinkDeployment/job | spec.podTemplate.metadata.annotations[prometheus.io/port] | value "9294" |
            flink.yaml | FlinkDeployment/job | spec.job.jarURI | value local:///opt/flink/usrlib/millrace-jobs.jar |
            flink.yaml | FlinkDeployment/job | spec.job.entryClass | value dev.millrace.connectors.job.Mian |
            flink.yaml | FlinkDeployment/job | spec.job.upgradeMode | value savepoints |
            flink.yaml | FlinkDeployment/job | spec.job.upgradeMode | value stateless |
            flink.yaml | FlinkDeployment/job | spec.job.parallelism | value 60 |
            flink.yaml | FlinkDeployment/job | spec.job.args[1] | value /run/milrace/job.properties | args
            flink.yaml | PodDisruptionBudget/flink | spec.selector.matchLabels[app.kubernetes.io/name] | value flnk | spec.selector
            needs.yaml | | definitions[0].stage | value jobs |
            needs.yaml | | definitions[0].until[0].field | value lifecycleState |
            needs.yaml | | workloads[0].names[1] | value clikhouse |
            needs.yaml | | installed[0].tried | value "1.10" |
            keeper.yaml | StatefulSet/keeper | spec.replicas | value 2 | there are 2
            keeper.yaml | StatefulSet/keeper | spec.template.spec.nodeSelector[millrace/role] | value stor | nodeSelector.millrace/role
            keeper.yaml | StatefulSet/keeper | spec.template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey | value kubernetes.io/hostnme |
            keeper.yaml | StatefulSet/keeper | spec.volumeClaimTemplates[0].spec.storageClassName | gone | the class of the volume
            keeper.yaml | Service/keeper | spec.ports[0].port | value 9218 | spec.ports[0]
            keeper-server.yaml | | keeper_server.raft_configuration.server[1].hostname | value keeper-2.keeper | there are 3 of them
            keeper-server.yaml | | keeper_server.tcp_port_secure | value "9218" |
            keeper-server.yaml | | keeper_server.coordination_settings | name coordination_setting |
            clickhouse.yaml | Service/clickhouse | spec.selector[app.kubernetes.io/part-of] | name app.kubernetes.io/partof |
            clickhouse.yaml | StatefulSet/clickhouse | spec.template.spec.tolerations[0].effect | value NoExecute | tolerations[0]
            clickhouse.yaml | StatefulSet/clickhouse | spec.volumeClaimTemplates[0].spec.storageClassName | value local-nvm |
            clickhouse.yaml | StatefulSet/clickhouse | spec.volumeClaimTemplates[0].spec.resources.requests.storage | value 860G |
            clickhouse.yaml | StatefulSet/clickhouse | spec.template.spec.containers[0].env[2].valueFrom.secretKeyRef.name | value click-house |
            clickhouse.yaml | StatefulSet/clickhouse | spec.template.spec.containers[0].readinessProbe.httpGet.port | value http |
            clickhouse.yaml | StatefulSet/clickhouse | spec.template.spec.containers[0].readinessProbe.httpGet.path | value /ping |
            clickhouse.yaml | StatefulSet/clickhouse | spec.template.spec.containers[0].livenessProbe.httpGet.path | value /replicas_status |
            clickhouse.yaml | StatefulSet/clickhouse | spec.template.spec.containers[0].startupProbe | gone | startupProbe
            clickhouse.yaml | StatefulSet/clickhouse | spec.template.spec.containers[0].volumeMounts[0].subPath | value clickhouse-serve.yaml | clickhouse-server.yaml
            clickhouse.yaml | StatefulSet/clickhouse | spec.template.spec.containers[0].resources.limits.memory | value 100G |
            clickhouse-server.yaml | | zookeeper.node[0].port | value "9821" | zookeeper.node[0]
            clickhouse-server.yaml | | remote_servers.millrace.shard.replica[2].host | value clickhouse-3.clickhouse-replica | replica[2]
            clickhouse-server.yaml | | remote_servers.millrace | name milrace |
            clickhouse-server.yaml | | macros.replica[@from_env] | value PODNAME | PODNAME
            clickhouse-users.yaml | | users.millrace.profile | value defualt |
            clickhouse-users.yaml | | profiles.default.insert_quorum | name insert_qourum |
            generator.yaml | StatefulSet/generator | metadata.name | value generater |
            generator.yaml | StatefulSet/generator | spec.template.spec.nodeSelector[millrace/role] | value laod | nodeSelector.millrace/role
            generator.yaml | StatefulSet/generator | spec.template.spec.initContainers[0].volumeMounts[0].name | value gven |
            generator.yaml | StatefulSet/generator | spec.template.spec.volumes[1].projected.sources[1].configMap.items[0].key | value prepar.sh |
            generator.yaml | StatefulSet/generator | spec.template.spec.volumes[2].projected.sources[1].secret.items[0].path | value pasword | store-secret must have
            generator.yaml | StatefulSet/generator | spec.template.spec.volumes[2].projected.sources[1].secret.name | value clikhouse |
            generator.yaml | StatefulSet/generator | spec.template.spec.initContainers[1].args[4] | value http://jobs-rest:8081 | args
            generator.yaml | StatefulSet/generator | spec.template.spec.containers[0].volumeMounts[1].mountPath | value /etc/stores | nothing is mounted at /etc/store
            network.yaml | NetworkPolicy/clickhouse | spec.ingress[0].ports[0].port | value 8444 |
            network.yaml | NetworkPolicy/flink | spec.policyTypes | gone | it must name
            network.yaml | NetworkPolicy/flink | spec.ingress[1].from[0].namespaceSelector.matchLabels[kubernetes.io/metadata.name] | value flink-oprator |
            network.yaml | NetworkPolicy/keeper | spec.ingress[0].from[0].podSelector.matchLabels[app.kubernetes.io/name] | value clikhouse | podSelector
            kustomization.yaml | Kustomization | resources[2] | value flnik.yaml |
            kustomization.yaml | Kustomization | configMapGenerator[1].files[0] | value clickhouse-servers.yaml |
            kustomization.yaml | Kustomization | patches[1].path | value generators.yaml |
            monitoring/kustomization.yaml | Component | kind | value Kustomization |
            monitoring/kustomization.yaml | Component | resources[1] | value pipelin.yaml |
            monitoring/kustomization.yaml | Component | configMapGenerator[0].files[0] | value pipelines.json |
            monitoring/kustomization.yaml | Component | configMapGenerator[0].options.labels.grafana_dashboard | value "yes" |
            monitoring/scraped.yaml | PodMonitor/flink | spec.selector.matchLabels[app.kubernetes.io/name] | value flnk | spec.selector
            monitoring/scraped.yaml | PodMonitor/flink | spec.podMetricsEndpoints[0].port | value metric | podMetricsEndpoints[0]
            monitoring/scraped.yaml | PodMonitor/generator | spec.podMetricsEndpoints | name podMetricsEndpoint |
            monitoring/scraped.yaml | PodMonitor/clickhouse | spec.podMetricsEndpoints[0].interval | value 15 |
            monitoring/scraped.yaml | PodMonitor/clickhouse | kind | value PodMonitors | PodMonitors
            monitoring/pipeline.yaml | PrometheusRule/pipeline | spec.groups[0].rules[0].for | value 5 min |
            monitoring/pipeline.yaml | PrometheusRule/pipeline | spec.groups[0].rules[1].labels.severity | value criticall | labels
            monitoring/pipeline.yaml | PrometheusRule/pipeline | spec.groups[0].rules[2].annotations.summary | name sumary | annotations
            monitoring/pipeline.yaml | PrometheusRule/pipeline | spec.groups[0].rules[3].expr | name expression |
            monitoring/machines.yaml | PrometheusRule/machines | spec.groups[0].rules[0].alert | value DiskFilling |
            monitoring/machines.yaml | PrometheusRule/machines | spec.groups[1].rules | name rule |
            monitoring/machines.yaml | PrometheusRule/machines | apiVersion | value monitoring.coreos.com/v1beta1 | monitoring.coreos.com/v1beta1
            job.properties | | store.url | value https://clickhouse:8434 |
            job.properties | | store.cluster | value milrace |
            job.properties | | checkpoint-interval | name checkpoint-intervall | checkpoint-intervall
            job.properties | | state-backend | value rocksbd | state-backend
            job.properties | | parallelism | value 32 | parallelism
            """;

    record Planted(Typo typo, String named) {
        @Override
        public String toString() {
            return typo.toString();
        }
    }

    static List<Planted> planted() {
        List<Planted> planted = new ArrayList<>(rows(TABLE, Production.NEUTRAL));
        Schemas.brokerFiles().filter(file -> file.endsWith("typos.txt")).forEach(file -> {
            String broker = Manifests.ROOT.relativize(file).getName(1).toString();
            planted.addAll(rows(Manifests.read(file), Production.folder(broker)));
        });
        return planted;
    }

    private static List<Planted> rows(String table, String folder) {
        return table.lines()
                .filter(row -> !row.startsWith("#"))
                .map(row -> planted(
                        Stream.of(row.split("\\|", -1)).map(String::strip).toArray(String[]::new), folder))
                .toList();
    }

    private static Planted planted(String[] cells, String folder) {
        String[] becomes = cells[3].split(" ", 2);
        Typo typo = new Typo(
                folder + "/" + cells[0],
                cells[1],
                cells[2],
                Typo.Change.valueOf(becomes[0].toUpperCase(Locale.ROOT)),
                becomes.length == 1 ? "" : becomes[1]);
        boolean isNew = typo.change() == Typo.Change.NAME;
        return new Planted(typo, cells[4].isEmpty() ? (isNew ? typo.text() : typo.path()) : cells[4]);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("planted")
    @DisplayName("a planted mistake is found, and a finding says where")
    void found(Planted planted) {
        Production mistaken = new Production(planted.typo().in(PRODUCTION.files()));
        List<Finding> alone = mistaken.in(planted.typo().file())
                .flatMap(one -> ProductionCheck.alone(mistaken, one).stream())
                .toList();
        boolean isSaid = alone.stream().anyMatch(finding -> finding.toString().contains(planted.named()));
        List<Finding> found = isSaid ? alone : ProductionCheck.of(mistaken);
        assertThat(found).as("findings on " + planted.typo()).anySatisfy(finding -> assertThat(finding.toString())
                .contains(planted.named()));
    }

    @Test
    @DisplayName("at least 100 mistakes are planted, no two the same, and in every file that has fields")
    void enough() {
        List<Typo> typos = planted().stream().map(Planted::typo).toList();
        assertThat(typos).hasSizeGreaterThanOrEqualTo(100).doesNotHaveDuplicates();
        assertThat(typos.stream().map(Typo::file).distinct())
                .containsAll(PRODUCTION.files().objects().keySet().stream()
                        .filter(file -> !file.contains("/durability/"))
                        .filter(file -> !file.endsWith("cluster/" + Manifests.KUSTOMIZATION))
                        .toList());
    }

    /** Keys of somebody else's settings: held against his program, with a letter less too, in {@link PackagedSettingsTest} and by brokers. */
    private static final Pattern FREE =
            Pattern.compile("(.*\\.)?(flinkConfiguration|configData|config|jvmOptions)[.\\[].*");

    @Test
    @DisplayName("whatever name of a field loses a letter, something is found")
    void names() {
        List<Typo> typos = Typos.names(PRODUCTION.files()).stream()
                .filter(typo -> !FREE.matcher(typo.path()).matches())
                .toList();
        assertThat(typos).hasSizeGreaterThan(900);
        assertThat(typos.stream().filter(typo -> !isFound(typo)).map(Typo::toString))
                .isEmpty();
    }

    private static boolean isFound(Typo typo) {
        Production mistaken = new Production(typo.in(PRODUCTION.files()));
        return mistaken.in(typo.file())
                        .anyMatch(one -> !ProductionCheck.alone(mistaken, one).isEmpty())
                || !ProductionCheck.of(mistaken).isEmpty();
    }
}
