package dev.semel.server.gateway;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** The signal with which operators ask a process to read its configuration again. */
final class HangUp {

    private static final System.Logger LOG = System.getLogger("dev.semel.gateway");

    private HangUp() {}

    /** Runs the action for each signal. Where there is no such signal, as on Windows, nothing happens. */
    static void onSignal(Runnable action) {
        // By name: the compiler warns of the JDK's only class for signals, and no option silences that.
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler run = (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                    action.run();
                }
                return null;
            };
            Object handling = Proxy.newProxyInstance(HangUp.class.getClassLoader(), new Class<?>[] {handler}, run);
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), handling);
        } catch (ReflectiveOperationException e) {
            LOG.log(System.Logger.Level.DEBUG, "this platform has no signal HUP", e);
        }
    }
}
