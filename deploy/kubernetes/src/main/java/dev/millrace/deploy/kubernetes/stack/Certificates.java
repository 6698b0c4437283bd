package dev.millrace.deploy.kubernetes.stack;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Who each part of a stack is: a certificate with its private key, signed by an authority of this stack alone, whose own key is
 * forgotten when it has signed them; and one that is its own authority, for Flink's processes among themselves. Elliptic curve P-256. Immutable; nothing in it is ever printed.
 */
final class Certificates {
    static final Duration VALIDITY = Duration.ofDays(397);
    /** A clock of a node may be behind. */
    private static final Duration BACKDATED = Duration.ofHours(1);

    private static final String SIGNATURE = "SHA256withECDSA";

    /** What a part does with its certificate. */
    private enum Use {
        SERVER(KeyPurposeId.id_kp_serverAuth),
        CLIENT(KeyPurposeId.id_kp_clientAuth),
        BOTH(KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth);

        private final KeyPurposeId[] purposes;

        Use(KeyPurposeId... purposes) {
            this.purposes = purposes;
        }
    }

    /** PEM: the authority's certificate, the part's own, and its key. */
    record Identity(String authority, String certificate, String key) {
        @Override
        public String toString() {
            return "Identity of a part";
        }
    }

    private final Map<String, Identity> byPart;
    private final Instant until;

    private Certificates(Map<String, Identity> byPart, Instant until) {
        this.byPart = byPart;
        this.until = until;
    }

    /** What JobManager and TaskManagers share, and its own authority. */
    static final String FLINK = "flink";

    /** The parts of a stack, each also the name of its service, and {@link #FLINK}. */
    static List<String> parts(String broker) {
        return List.copyOf(uses(broker).keySet());
    }

    private static Map<String, Use> uses(String broker) {
        Map<String, Use> uses = new LinkedHashMap<>();
        uses.put(FLINK, Use.BOTH);
        uses.put("store", Use.SERVER);
        uses.put("jobmanager", Use.BOTH);
        uses.put("taskmanager", Use.BOTH);
        uses.put("generator", Use.CLIENT);
        // It is a client of its own, too.
        uses.put(broker, Use.BOTH);
        return uses;
    }

    static Certificates make(String namespace, String broker, Instant now) {
        return make(namespace, uses(broker), part -> names(part, namespace), now);
    }

    /** Of a replicated store: one that all of its servers share, each of which is a client of the others. */
    static Certificates ofStore(String namespace, String part, List<String> names, Instant now) {
        return make(namespace, Map.of(part, Use.BOTH), same -> names, now);
    }

    private static Certificates make(
            String namespace, Map<String, Use> uses, Function<String, List<String>> names, Instant now) {
        try {
            Instant until = now.plus(VALIDITY).truncatedTo(ChronoUnit.SECONDS);
            Date from = Date.from(now.minus(BACKDATED));
            X500Principal authority = new X500Principal("CN=" + namespace + " " + number().toString(36));
            KeyPair signing = keyPair();
            JcaX509v3CertificateBuilder own = new JcaX509v3CertificateBuilder(
                    authority, number(), from, Date.from(until), authority, signing.getPublic());
            own.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            own.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
            String root = pem("CERTIFICATE", signed(own, signing).getEncoded());
            Map<String, Identity> byPart = new LinkedHashMap<>();
            for (Map.Entry<String, Use> part : uses.entrySet()) {
                KeyPair pair = keyPair();
                X500Principal name = new X500Principal("CN=" + part.getKey());
                boolean alone = part.getKey().equals(FLINK);
                JcaX509v3CertificateBuilder leaf = new JcaX509v3CertificateBuilder(
                        alone ? name : authority, number(), from, Date.from(until), name, pair.getPublic());
                KeyPair signer = alone ? pair : signing;
                extend(leaf, names.apply(part.getKey()), part.getValue(), signer, pair);
                String certificate = pem("CERTIFICATE", signed(leaf, signer).getEncoded());
                byPart.put(
                        part.getKey(),
                        new Identity(
                                alone ? certificate : root,
                                certificate,
                                pem("PRIVATE KEY", pair.getPrivate().getEncoded())));
            }
            return new Certificates(Map.copyOf(byPart), until);
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("this Java cannot make certificates", e);
        }
    }

    private static void extend(
            JcaX509v3CertificateBuilder leaf, List<String> names, Use use, KeyPair signing, KeyPair own)
            throws GeneralSecurityException, IOException {
        JcaX509ExtensionUtils utils = new JcaX509ExtensionUtils();
        leaf.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        leaf.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        leaf.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(use.purposes));
        leaf.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(names.stream()
                        .map(name -> new GeneralName(GeneralName.dNSName, name))
                        .toArray(GeneralName[]::new)));
        leaf.addExtension(
                Extension.authorityKeyIdentifier, false, utils.createAuthorityKeyIdentifier(signing.getPublic()));
        leaf.addExtension(Extension.subjectKeyIdentifier, false, utils.createSubjectKeyIdentifier(own.getPublic()));
    }

    /** The service's names, and those that it gives to its first pod. */
    static List<String> names(String part, String namespace) {
        List<String> names = new ArrayList<>();
        for (String host : List.of(part, part + "-0." + part)) {
            names.addAll(List.of(
                    host,
                    host + "." + namespace,
                    host + "." + namespace + ".svc",
                    host + "." + namespace + ".svc.cluster.local"));
        }
        return names;
    }

    private static KeyPair keyPair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static BigInteger number() {
        return new BigInteger(120, new SecureRandom()).setBit(119);
    }

    private static X509Certificate signed(JcaX509v3CertificateBuilder certificate, KeyPair authority)
            throws GeneralSecurityException, OperatorCreationException {
        return new JcaX509CertificateConverter()
                .getCertificate(
                        certificate.build(new JcaContentSignerBuilder(SIGNATURE).build(authority.getPrivate())));
    }

    private static String pem(String what, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }

    Identity of(String part) {
        return byPart.get(part);
    }

    /** When they run out. */
    Instant until() {
        return until;
    }
}
