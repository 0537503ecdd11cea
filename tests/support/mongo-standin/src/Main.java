import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.KeyFirstBackend;
import java.util.List;

/** Serves the MongoDB protocol from an H2 file: {@code Main <port> <file>}. SIGTERM closes the file in order. */
final class Main {
  private Main() {}

  /** The server's own constants name a wire version that current drivers refuse. */
  private static final class Version implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(5, 0, 0);
    }

    @Override
    public int getWireVersion() {
      return 13;
    }
  }

  public static void main(String[] args) {
    KeyFirstBackend backend = new KeyFirstBackend(args[1]);
    backend.version(new Version());
    MongoServer server = new MongoServer(backend);
    server.bind("127.0.0.1", Integer.parseInt(args[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    System.out.println("ready");
  }
}
