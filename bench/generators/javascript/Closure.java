import com.google.javascript.jscomp.CompilationLevel;
import com.google.javascript.jscomp.Compiler;
import com.google.javascript.jscomp.CompilerOptions;
import com.google.javascript.jscomp.SourceFile;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.logging.Level;

/**
 * Answers what Closure Compiler does with files, without starting a Java machine for each. A file is valid if the compiler
 * finds no errors in it. The compiler fails if it throws an exception.
 *
 * <p>usage: java -cp compiler.jar Closure.java PORT_FILE; ends when standard input does. Speaks as serve.py does.
 */
public class Closure {
    public static void main(String[] arguments) throws Exception {
        Compiler.setLoggingLevel(Level.OFF);
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Path port = Path.of(arguments[0]), unfinished = Path.of(arguments[0] + ".new");
        Files.writeString(unfinished, server.getLocalPort() + "\n");
        Files.move(unfinished, port, StandardCopyOption.ATOMIC_MOVE);
        Thread watch = new Thread(Closure::endWithInput);
        watch.setDaemon(true);
        watch.start();
        while (true) {
            try (Socket client = server.accept()) {
                BufferedReader lines = new BufferedReader(new InputStreamReader(client.getInputStream()));
                String text = Files.readString(Path.of(lines.readLine()));
                client.getOutputStream().write((check(text) + "\n").getBytes());
            }
        }
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {}
        } catch (java.io.IOException gone) {
            // The end is the end.
        }
        System.exit(0);
    }

    private static String check(String text) {
        CompilerOptions options = new CompilerOptions();
        CompilationLevel.SIMPLE_OPTIMIZATIONS.setOptionsForCompilationLevel(options);
        Compiler compiler = new Compiler(new PrintStream(new ByteArrayOutputStream()));
        compiler.disableThreads();
        try {
            List<SourceFile> files = List.of(SourceFile.fromCode("input.js", text));
            return compiler.compile(List.<SourceFile>of(), files, options).success ? "valid" : "invalid";
        } catch (RuntimeException error) {
            return "valid " + described(error);
        }
    }

    /** What identifies a failure: the first exception's class, and the compiler's classes that it comes from. */
    private static String described(Throwable error) {
        while (error.getCause() != null) {
            error = error.getCause();
        }
        StringBuilder text = new StringBuilder(error.getClass().getSimpleName() + " in");
        String last = "";
        for (StackTraceElement place : error.getStackTrace()) {
            String name = place.getClassName().replaceAll(".*\\.|\\$.*", "");
            if (place.getClassName().startsWith("com.google.javascript") && !name.equals(last)) {
                text.append(' ').append(last = name);
            }
        }
        return text.toString();
    }
}
