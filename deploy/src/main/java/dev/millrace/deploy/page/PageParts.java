package dev.millrace.deploy.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What the house's pages are made of: style, script and the library for charts, to be put into a page as they are. */
public final class PageParts {
    private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.common.min.js";

    private PageParts() {}

    /** Colours, letters, tables; light and dark. */
    public static String style() {
        return resource("page.css");
    }

    /** The object {@code house}: numbers, axes, the choice of colours. It needs {@link #charts} before it. */
    public static String script() {
        return forScript(resource("page.js"));
    }

    /** Apache ECharts, 660 kB. */
    public static String charts() {
        return forScript(resource(ECHARTS));
    }

    /** The code, if a script element can hold it; code that would end the element is an error. */
    public static String forScript(String code) {
        if (code.toLowerCase(Locale.ROOT).contains("</script") || code.contains("<!--")) {
            throw new IllegalStateException("a script of the page would end its own element");
        }
        return code;
    }

    static String resource(String name) {
        try (InputStream in = PageParts.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("there is no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("resource " + name + " is broken", e);
        }
    }
}
