import { errors } from 'oidc-provider'

/** An error of the token endpoint in Keycloak's words (RFC 6749 section 5.2). */
export function oauthError(status: number, code: string, description: string): errors.OIDCProviderError {
  const error = new errors.OIDCProviderError(status, code)
  error.error_description = description
  return error
}

interface KeycloakAnswer {
  readonly status: number
  readonly error: string
  readonly error_description: string
}

const badClient = 'Invalid client or Invalid client credentials'

/**
 * Keycloak's answer for an error that the library itself found, by the library's own detail text.
 * @returns undefined where the library's answer may stand
 */
export function keycloakAnswer(error: errors.OIDCProviderError, grantType: unknown): KeycloakAnswer | undefined {
  const detail = error.error_detail ?? ''
  if (error.error === 'invalid_client') {
    const code = detail === 'client not found' ? 'invalid_client' : 'unauthorized_client'
    return { status: 401, error: code, error_description: badClient }
  }
  if (error.error_description === 'no client authentication mechanism provided') {
    return { status: 401, error: 'invalid_client', error_description: badClient }
  }
  if (error.error_description === 'requested grant type is not allowed for this client')
    return grantNotAllowed(grantType)
  const missing = /^missing required parameter '(\w+)'$/.exec(error.error_description ?? '')?.[1]
  if (missing !== undefined) {
    return { status: 400, error: 'invalid_request', error_description: missingParameter(missing) }
  }
  if (error.error === 'unsupported_grant_type') {
    return { status: 400, error: error.error, error_description: 'Unsupported grant_type' }
  }
  if (error.error === 'invalid_grant' && error.error_description === 'grant request is invalid') {
    return { status: 400, error: error.error, error_description: invalidGrant(detail, grantType) }
  }
  return undefined
}

function grantNotAllowed(grantType: unknown): KeycloakAnswer {
  const unauthorized = (status: number, description: string) => ({
    status,
    error: 'unauthorized_client',
    error_description: description,
  })
  if (grantType === 'password') return unauthorized(400, 'Client not allowed for direct access grants')
  if (grantType === 'client_credentials') return unauthorized(401, 'Client not enabled to retrieve service account')
  return { status: 400, error: 'invalid_grant', error_description: invalidGrant('', grantType) }
}

function missingParameter(name: string): string {
  if (name === 'grant_type') return 'Missing form parameter: grant_type'
  return name === 'refresh_token' ? 'No refresh token' : `Missing parameter: ${name}`
}

function invalidGrant(detail: string, grantType: unknown): string {
  if (grantType === 'refresh_token') {
    if (detail === 'refresh token is expired') return 'Token is not active'
    const foreign = "Invalid refresh token. Token client and authorized client don't match"
    return detail === 'client mismatch' ? foreign : 'Invalid refresh token'
  }
  if (detail.includes('redirect_uri')) return 'Incorrect redirect_uri'
  if (detail.startsWith('code_verifier')) return 'PKCE verification failed: Code mismatch'
  return 'Code not valid'
}
