package dev.millrace.deploy.kubernetes.production;

import dev.millrace.deploy.kubernetes.cluster.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The object of the production shape that Flink's operator runs the job from: what is in it that differs from one stack to another. */
public final class FlinkJob {
    public static final String KIND = "FlinkDeployment";
    static final String NAME = "job";
    public static final String VERSION = "flink.apache.org/v1beta1";
    static final String LEADERSHIP = "high-availability.storageDir";
    /** As the files of this clone have them, which nobody can use. */
    static final String NO_IMAGE = "millrace";

    public static final String NO_BUCKET = "millrace-state";
    private static final String S3 = "s3://";
    private static final String STATE = "spec.job.state";
    private static final String SUSPENDED = "suspended";

    private FlinkJob() {}

    static Optional<GenericKubernetesResource> of(List<GenericKubernetesResource> objects) {
        return objects.stream()
                .filter(object -> object.getKind().equals(KIND)
                        && object.getMetadata().getName().equals(NAME))
                .findFirst();
    }

    /** Whether it is the object of a job that was stopped with a savepoint, and has no pods. */
    static boolean isSuspended(GenericKubernetesResource object) {
        return object.getKind().equals(KIND) && Fields.text(object, STATE).equals(SUSPENDED);
    }

    /** The settings that are places in a bucket. */
    static Map<String, String> places(GenericKubernetesResource job) {
        Map<String, String> places = new java.util.TreeMap<>();
        Fields.at(job, "spec.flinkConfiguration").ifPresent(settings -> ((Map<?, ?>) settings).forEach((key, value) -> {
            if (isPlace(value.toString())) {
                places.put(key.toString(), value.toString());
            }
        }));
        return places;
    }

    /** Where Flink keeps by the job's name what its next leader goes on from; empty for one that has no such place. */
    static Optional<String> leadership(GenericKubernetesResource job) {
        return Optional.ofNullable(places(job).get(LEADERSHIP)).map(place -> place.replaceFirst("/+$", ""));
    }

    static TreeSet<String> buckets(GenericKubernetesResource job) {
        TreeSet<String> buckets = new TreeSet<>();
        places(job)
                .values()
                .forEach(place -> buckets.add(place.substring(S3.length()).replaceFirst("/.*", "")));
        return buckets;
    }

    static boolean isPlace(String value) {
        return value.startsWith(S3);
    }

    /**
     * The same place in another bucket, in the namespace's own folder: a bucket is shared by the stacks of several brokers, whose
     * jobs are all called the same there, and each clears up what is old below its checkpoints.
     */
    static String in(String bucket, String namespace, String place) {
        return place.replaceFirst("^" + S3 + "[^/]+", S3 + bucket + "/" + namespace);
    }
}
