package de.bwaldvogel.mongo.backend.h2;

import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.h2.mvstore.MVMap;

/**
 * The H2 backend with unique indexes that serve as MongoDB's do: a filter that names a whole unique key and more
 * besides (a compare-and-set: key and expected state) looks the key up and then matches the rest. The backend as it
 * is reads the whole collection for such a filter. It lies in this package because the index's constructor does.
 */
public final class KeyFirstBackend extends H2Backend {
  public KeyFirstBackend(String file) {
    super(file);
  }

  @Override
  protected MongoDatabase openOrCreateDatabase(String name) {
    return new H2Database(name, getMvStore(), getCursorRegistry()) {
      @Override
      protected Index<Object> openOrCreateUniqueIndex(
          String collection, String index, List<IndexKey> keys, boolean sparse) {
        MVMap<KeyValue, Object> map = getMvStore().openMap(name + "." + collection + "._key_first_" + index);
        return new KeyFirstIndex(map, index, keys, sparse);
      }
    };
  }

  private static final class KeyFirstIndex extends H2UniqueIndex {
    KeyFirstIndex(MVMap<KeyValue, Object> map, String name, List<IndexKey> keys, boolean sparse) {
      super(map, name, keys, sparse);
    }

    @Override
    public synchronized boolean canHandle(Document query) {
      return super.canHandle(query) || super.canHandle(keyOf(query));
    }

    @Override
    public synchronized Iterable<Object> getPositions(Document query) {
      return super.getPositions(keyOf(query));
    }

    private Document keyOf(Document query) {
      Document key = new Document();
      for (String name : keys()) {
        if (query.containsKey(name)) {
          key.put(name, query.get(name));
        }
      }
      return key;
    }
  }
}
