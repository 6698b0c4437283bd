package dev.millrace.perf.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page with holes, all of it a resource: <code>{{name}}</code> is text and is escaped; <code>{{{name}}}</code> goes in as it is, for
 * what the page inlines; <code>{{#name}}</code> to <code>{{/name}}</code> is there once for each element of a list, or once for a
 * map, for true, or for a text that is not empty; <code>{{^name}}</code> to <code>{{/name}}</code> is there otherwise;
 * <code>{{>name}}</code> is another resource. A name that is nowhere is an error.
 */
final class Template {
    private static final Pattern HOLE = Pattern.compile("\\{\\{(\\{|[#^/])?([A-Za-z.]+)}?}}");
    private static final Pattern PART = Pattern.compile("\\{\\{>([a-z]+)}}");
    /** A hole that only opens or ends a repetition leaves no line behind. */
    private static final Pattern ALONE = Pattern.compile("(?m)^[ ]*(\\{\\{[#^/][A-Za-z.]+}})\\n");

    /** Parts of parts of parts would be more than a page needs. */
    private static final int DEPTH = 2;

    private final String text;

    private Template(String text) {
        this.text = text;
    }

    /** The resource of that name beside this class, with its parts. */
    static Template of(String resource) {
        String whole = resource(resource);
        for (int depth = 0; depth < DEPTH; depth++) {
            whole = PART.matcher(whole).replaceAll(part -> Matcher.quoteReplacement(resource(part.group(1) + ".html")));
        }
        return new Template(ALONE.matcher(whole).replaceAll("$1"));
    }

    /** A text of the class path: beside this class, or absolute. */
    static String resource(String name) {
        try (InputStream in = Template.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("there is no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("resource " + name + " is broken", e);
        }
    }

    /** Text for an element or for an attribute in quotes. */
    static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c);
            }
        }
        return out.toString();
    }

    String render(Map<String, ?> values) {
        StringBuilder out = new StringBuilder(text.length() * 2);
        Deque<Object> contexts = new ArrayDeque<>();
        contexts.push(values);
        render(0, text.length(), contexts, out);
        return out.toString();
    }

    private void render(int from, int to, Deque<Object> contexts, StringBuilder out) {
        Matcher hole = HOLE.matcher(text).region(from, to);
        int done = from;
        while (hole.find()) {
            out.append(text, done, hole.start());
            String sign = hole.group(1) == null ? "" : hole.group(1);
            String name = hole.group(2);
            Object value = value(name, contexts);
            if (sign.isEmpty()) {
                out.append(escaped(value.toString()));
            } else if (sign.equals("{")) {
                out.append(value);
            } else if (sign.equals("/")) {
                throw new IllegalStateException("{{/" + name + "}} ends nothing");
            } else {
                int end = end(hole.end(), to, name);
                List<?> all = all(value);
                if (sign.equals("^") && all.isEmpty()) {
                    render(hole.end(), end, contexts, out);
                }
                for (Object one : sign.equals("#") ? all : List.of()) {
                    contexts.push(one);
                    render(hole.end(), end, contexts, out);
                    contexts.pop();
                }
                hole.region(end + name.length() + "{{/}}".length(), to);
                done = end + name.length() + "{{/}}".length();
                continue;
            }
            done = hole.end();
        }
        out.append(text, done, to);
    }

    private int end(int from, int to, String name) {
        Matcher hole = HOLE.matcher(text).region(from, to);
        int open = 1;
        while (hole.find()) {
            if (hole.group(2).equals(name)
                    && hole.group(1) != null
                    && !hole.group(1).equals("{")) {
                open += hole.group(1).equals("/") ? -1 : 1;
                if (open == 0) {
                    return hole.start();
                }
            }
        }
        throw new IllegalStateException("{{#" + name + "}} does not end");
    }

    private static List<?> all(Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        boolean there = value instanceof Boolean is ? is : !(value instanceof String string && string.isEmpty());
        List<Object> all = new ArrayList<>();
        if (there) {
            all.add(value);
        }
        return all;
    }

    /** The innermost of that name. */
    private static Object value(String name, Deque<Object> contexts) {
        for (Object context : contexts) {
            if (name.equals(".") && !(context instanceof Map)) {
                return context;
            }
            if (context instanceof Map<?, ?> map && map.get(name) != null) {
                return map.get(name);
            }
        }
        throw new IllegalStateException("the template asks for '" + name + "', which is nowhere");
    }
}
