package dev.millrace.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TemplateTest {
    @Test
    void aNameThatIsNowhereIsAnError() {
        assertThatThrownBy(() -> Template.of("report.html").render(Map.of("css", "")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("which is nowhere");
    }

    @Test
    void aResourceThatIsNotThereIsAnError() {
        assertThatThrownBy(() -> Template.of("none.html")).hasMessage("there is no resource none.html");
    }

    @Test
    void everySignThatMeansSomethingInMarkupIsEscaped() {
        assertThat(Template.escaped("<a href=\"x\" id='y'>&"))
                .isEqualTo("&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;");
    }
}
