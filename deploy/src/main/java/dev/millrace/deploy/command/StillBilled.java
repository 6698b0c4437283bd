package dev.millrace.deploy.command;

import dev.millrace.deploy.infrastructure.KeptBuckets;
import dev.millrace.deploy.infrastructure.Terraform;
import dev.millrace.deploy.infrastructure.Unfinished;
import java.io.PrintWriter;

/**
 * What work of Terraform's leaves that is billed.
 *
 * @param name of the infrastructure
 */
record StillBilled(String name, Terraform terraform, KeptBuckets kept, PrintWriter out) {
    /** Does the work, and says what is left when it fails or is interrupted. */
    void whenItFails(Runnable work) {
        run(work, () -> {});
    }

    /** Does the work, and says what is left, however it ends. */
    void afterwards(Runnable work) {
        run(work, this::say);
    }

    @SuppressWarnings("try") // it is held, not used
    private void run(Runnable work, Runnable wellDone) {
        try (Unfinished workAndWords = new Unfinished()) {
            try {
                work.run();
            } catch (RuntimeException e) {
                sayAfter(e);
                throw e;
            }
            wellDone.run();
        }
    }

    /** The failure is what is told in the end. */
    private void sayAfter(RuntimeException failure) {
        try {
            say();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            out.println("What is still billed cannot be told: " + e.getMessage());
            out.flush();
        }
    }

    private void say() {
        StringBuilder text = new StringBuilder("Still billed:\n");
        terraform.state().forEach(address -> text.append("  ").append(address).append(" (in Terraform's state)\n"));
        kept.names().forEach(bucket -> text.append("  bucket ")
                .append(bucket)
                .append(", kept with its data; it ends with: aws s3 rb --force s3://")
                .append(bucket)
                .append('\n'));
        out.println(text.append(
                        "  volumes that pods asked for and that nobody deleted, if there are any; this lists them:\n")
                .append("    aws resourcegroupstaggingapi get-resources --region ")
                .append(terraform.variable("region").asText())
                .append(" --tag-filters Key=millrace-infrastructure,Values=")
                .append(name));
        out.flush();
    }
}
