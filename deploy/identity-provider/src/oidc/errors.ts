import { errors } from 'oidc-provider'

/** An error of the token endpoint in Keycloak's words (RFC 6749 section 5.2). */
export function oauthError(status: number, code: string, description: string): errors.OIDCProviderError {
  const error = new errors.OIDCProviderError(status, code)
  error.error_description = description
  return error
}

export const badClient = (error: string) => ({
  error,
  error_description: 'Invalid client or Invalid client credentials',
})

/**
 * Keycloak's answer for an error that the library itself found, by the library's own texts.
 * @returns undefined where the library's answer may stand
 */
export function keycloakAnswer(found: errors.OIDCProviderError, grantType: unknown) {
  const { error, error_description: text = '', error_detail: detail = '' } = found
  const answer = (status: number, code: string, description: string) => ({
    status,
    body: { error: code, error_description: description },
  })
  if (error === 'invalid_client')
    return { status: 401, body: badClient(detail === 'client not found' ? 'invalid_client' : 'unauthorized_client') }
  if (text === 'no client authentication mechanism provided') return { status: 401, body: badClient('invalid_client') }
  if (text === 'requested grant type is not allowed for this client') {
    if (grantType === 'password')
      return answer(400, 'unauthorized_client', 'Client not allowed for direct access grants')
    if (grantType === 'client_credentials')
      return answer(401, 'unauthorized_client', 'Client not enabled to retrieve service account')
  }
  if (text === "missing required parameter 'grant_type'")
    return answer(400, 'invalid_request', 'Missing form parameter: grant_type')
  if (error === 'unsupported_grant_type') return answer(400, error, 'Unsupported grant_type')
  if (text !== 'grant request is invalid') return undefined
  return answer(400, error, grantType === 'authorization_code' ? 'Code not valid' : 'Invalid refresh token')
}
