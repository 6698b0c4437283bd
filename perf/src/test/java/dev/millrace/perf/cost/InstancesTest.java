package dev.millrace.perf.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.cost.Instances.Group;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstancesTest {
    private static final List<String> PRICED = List.of("c5.2xlarge", "i7i.2xlarge", "m5.large");

    private static List<String> problems(String text) {
        List<String> problems = new ArrayList<>();
        Instances.parse(text, PRICED, problems);
        return problems;
    }

    @Test
    void groupsHaveANameATypeAndACountThatIsOneUnlessSaid() {
        List<String> problems = new ArrayList<>();
        Instances instances =
                Instances.parse("broker=i7i.2xlarge*3,clients=c5.metal,x-2=m7i.metal-24xl*2", PRICED, problems);
        assertThat(problems).isEmpty();
        assertThat(instances.groups())
                .containsExactly(
                        new Group("broker", "i7i.2xlarge", 3),
                        new Group("clients", "c5.metal", 1),
                        new Group("x-2", "m7i.metal-24xl", 2));
        assertThat(instances.text()).isEqualTo("broker=i7i.2xlarge*3,clients=c5.metal*1,x-2=m7i.metal-24xl*2");
        assertThat(Instances.parse(instances.text(), PRICED, problems)).isEqualTo(instances);
    }

    @Test
    void aMisspelledTypeIsAnErrorThatSaysWhatWasMeant() {
        String no = " is no instance type; it must be family and size, such as c5.2xlarge";
        assertThat(problems("broker=c5.xlarg"))
                .containsExactly("--instances: 'c5.xlarg' of broker" + no + ". Did you mean 'c5.xlarge'?");
        assertThat(problems("broker=m5.4xlrage"))
                .containsExactly("--instances: 'm5.4xlrage' of broker" + no + ". Did you mean 'm5.4xlarge'?");
        assertThat(problems("broker=c52xlarge"))
                .containsExactly("--instances: 'c52xlarge' of broker" + no + ". Did you mean 'c5.2xlarge'?");
        assertThat(problems("broker=something")).containsExactly("--instances: 'something' of broker" + no);
    }

    @Test
    void allMistakesAreSaidAtOnce() {
        String form = "' must be NAME=TYPE*COUNT, such as in broker=i7i.2xlarge*3,clients=c5.2xlarge*2";
        assertThat(problems("c5.2xlarge*2,a=c5.2xlarge*0,a=c5.2xlarge*10001,,b=c5.2xlarge*x,c=m5.larg"))
                .containsExactly(
                        "--instances: 'c5.2xlarge*2" + form,
                        "--instances: a has 0 instances; it must be from 1 to 10000",
                        "--instances: a is there twice; give each group a name of its own",
                        "--instances: a has 10001 instances; it must be from 1 to 10000",
                        "--instances: '" + form,
                        "--instances: 'b=c5.2xlarge*x" + form,
                        "--instances: 'm5.larg' of c is no instance type; it must be family and size, such as c5.2xlarge."
                                + " Did you mean 'm5.large'?");
    }
}
