import { errors } from 'oidc-provider'

/** An error of the token endpoint in Keycloak's words (RFC 6749 section 5.2). */
export function oauthError(status: number, code: string, description: string): errors.OIDCProviderError {
  const error = new errors.OIDCProviderError(status, code)
  error.error_description = description
  return error
}

const badClient = 'Invalid client or Invalid client credentials'

/**
 * Keycloak's answer for an error that the library itself found, by the library's own detail text.
 * @returns undefined where the library's answer may stand
 */
export function keycloakAnswer(
  error: errors.OIDCProviderError,
  grantType: unknown,
): { status: number; error: string; error_description: string } | undefined {
  const detail = error.error_detail ?? ''
  if (error.error === 'invalid_client') {
    const code = detail === 'client not found' ? 'invalid_client' : 'unauthorized_client'
    return { status: 401, error: code, error_description: badClient }
  }
  if (error.error_description === 'no client authentication mechanism provided') {
    return { status: 401, error: 'invalid_client', error_description: badClient }
  }
  if (error.error_description === 'requested grant type is not allowed for this client') {
    return { status: 400, error: 'unauthorized_client', error_description: grantNotAllowed(grantType) }
  }
  if (error.error === 'unsupported_grant_type') {
    return { status: 400, error: error.error, error_description: 'Unsupported grant_type' }
  }
  if (error.error === 'invalid_grant' && error.error_description === 'grant request is invalid') {
    return { status: 400, error: error.error, error_description: invalidGrant(detail, grantType) }
  }
  return undefined
}

function grantNotAllowed(grantType: unknown): string {
  if (grantType === 'password') return 'Client not allowed for direct access grants'
  if (grantType === 'client_credentials') return 'Client not enabled to retrieve service account'
  return 'Client not allowed to use this grant'
}

function invalidGrant(detail: string, grantType: unknown): string {
  if (grantType === 'refresh_token') {
    return detail === 'refresh token is expired' ? 'Token is not active' : 'Invalid refresh token'
  }
  if (detail.includes('redirect_uri')) return 'Incorrect redirect_uri'
  if (detail.startsWith('code_verifier')) return 'PKCE verification failed: Code mismatch'
  return 'Code not valid'
}
