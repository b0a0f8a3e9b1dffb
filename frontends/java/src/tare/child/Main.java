package tare.child;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Starts a program with benchmarks. The arguments are the folders and jars that contain them. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) throws IOException {
        List<String> places = Arrays.asList(arguments);
        Catalog catalog = Catalog.of(places);
        String link = System.getenv("TARE_LINK");
        if (link != null && !link.isEmpty()) {
            Child.serve(catalog, link);
            return;
        }
        boolean hasFailed = false;
        for (Case one : catalog.cases()) {
            hasFailed |= !runsOnce(one);
        }
        System.out.println("each benchmark has run once; `tare run` measures them");
        System.exit(hasFailed ? 1 : 0);
    }

    private static boolean runsOnce(Case one) {
        String name = one.key().replace('\n', ' ');
        try {
            Opened opened = new Opened(one, 0);
            String text = Texts.of(opened.check());
            opened.cleanUp();
            System.out.println(name + ": " + (text == null ? "done" : Texts.beginning(text, 60)));
            return true;
        } catch (Thrown | Refused failed) {
            System.out.println(name + ": " + (failed.getCause() == null ? failed.getMessage() : failed.getCause()));
            return false;
        }
    }
}
