/** Log-ins by OpenID Connect. */
@NullMarked
package dev.semel.server.console.oidc;

import org.jspecify.annotations.NullMarked;
