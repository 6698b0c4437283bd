package dev.millrace.deploy.infrastructure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole life with what Terraform itself brings: no provider, no account. */
class TerraformTest {
    private static final String CONFIGURATION =
            """
            variable "size" { type = number }
            variable "place" {
              type = string
              validation {
                condition     = !fileexists("not-${var.place}")
                error_message = "this is no such place"
              }
            }
            resource "terraform_data" "one" { input = var.size }
            resource "terraform_data" "two" {
              count = var.size
              lifecycle {
                precondition {
                  condition     = var.size < 5
                  error_message = "five are too many"
                }
              }
            }
            output "size" { value = terraform_data.one.output }
            """;

    @TempDir
    Path base;

    @BeforeAll
    static void thereIsATerraform() {
        assumeTrue(Terraform.isThere(), "there is no program 'terraform' on the PATH");
    }

    private Path configuration() throws IOException {
        Path folder = Files.createDirectories(base.resolve("configuration"));
        Files.writeString(folder.resolve("main.tf"), CONFIGURATION);
        return folder;
    }

    @Test
    @DisplayName("plan, apply, change, forget and destroy: what is in the state is what was made")
    void life() throws IOException {
        Path folder = base.resolve("work");
        assertThat(Terraform.hasState(folder)).isFalse();
        Terraform terraform = Terraform.in(folder, configuration(), Map.of(), "a test");
        Plan plan = terraform.plan(Map.of("size", 2, "place", "here"), List.of("place"));
        assertThat(plan.toMake()).isEqualTo(3);
        assertThat(plan.groups()).isEmpty();
        assertThat(Terraform.hasState(folder)).isFalse();
        terraform.apply();
        assertThat(Terraform.hasState(folder)).isTrue();
        assertThat(terraform.output("size")).hasValue("2");
        assertThat(terraform.output("weight")).isEmpty();
        assertThat(terraform
                        .plan(Map.of("size", 2, "place", "here"), List.of("place"))
                        .isEmpty())
                .isTrue();
        Plan smaller = terraform.plan(Map.of("size", 1, "place", "here"), List.of("place"));
        assertThat(smaller.toDelete()).isEqualTo(1);
        assertThat(smaller.toChange()).isEqualTo(1);
        terraform.apply();
        terraform.forget(List.of("terraform_data.one"));
        assertThat(terraform.state()).containsExactly("terraform_data.two[0]");
        terraform.destroy();
        assertThat(terraform.state()).isEmpty();
        try (var left = Files.list(base.resolve("configuration"))) {
            assertThat(left).as("the configuration's own folder").hasSize(1);
        }
    }

    @Test
    @DisplayName("what was made in one place is not planned in another: it would be forgotten there, and billed")
    void lasting() throws IOException {
        Terraform terraform = Terraform.in(base.resolve("work"), configuration(), Map.of(), "a test");
        terraform.plan(Map.of("size", 1, "place", "nowhere"), List.of("place"));
        terraform.plan(Map.of("size", 1, "place", "here"), List.of("place"));
        terraform.apply();
        assertThatThrownBy(() -> terraform.plan(Map.of("size", 1, "place", "there"), List.of("place")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("was made with place here, not there");
        assertThat(terraform
                        .plan(Map.of("size", 1, "place", "here"), List.of("place"))
                        .isEmpty())
                .isTrue();
        terraform.destroy();
        assertThat(terraform
                        .plan(Map.of("size", 1, "place", "there"), List.of("place"))
                        .toMake())
                .isEqualTo(2);
    }

    @Test
    @DisplayName("what Terraform refuses is told with its own words")
    void refusal() throws IOException {
        Terraform terraform = Terraform.in(base.resolve("work"), configuration(), Map.of(), "a test");
        assertThatThrownBy(() -> terraform.plan(Map.of("size", 5, "place", "here"), List.of("place")))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("Terraform could not plan in " + base.resolve("work"))
                .hasMessageContaining("five are too many");
    }

    @Test
    @DisplayName("what was applied is what is destroyed by, whatever was planned before or since")
    void applied() throws IOException {
        Path folder = base.resolve("work");
        try (Terraform terraform = Terraform.in(folder, configuration(), Map.of(), "a test")) {
            terraform.plan(Map.of("size", 2, "place", "here"), List.of());
            // As somebody else's plan would, between the question and the answer.
            Files.writeString(folder.resolve("millrace.auto.tfvars.json"), "{\"size\": 2, \"place\": \"there\"}");
            terraform.apply();
            assertThat(terraform.variable("place").asText()).isEqualTo("here");
        }
        try (Terraform terraform = Terraform.in(folder, configuration(), Map.of(), "a test")) {
            terraform.plan(Map.of("size", 3, "place", "there"), List.of());
        }
        try (Terraform terraform = Terraform.in(folder, configuration(), Map.of(), "a test")) {
            assertThat(terraform.variable("place").asText()).isEqualTo("here");
            assertThat(terraform.variable("size").asInt()).isEqualTo(2);
            // Where Terraform would look in vain.
            Files.createFile(folder.resolve("not-there"));
            terraform.destroy();
            assertThat(terraform.state()).isEmpty();
        }
    }
}
