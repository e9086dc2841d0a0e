/** The session code as a fresh page has it. */
export async function freshPage() {
  const session = await import('../lib/auth/session.ts')
  const { onSessionEnd } = await import('../lib/auth/session-end.ts')
  const signIn = await import('../lib/auth/sign-in.ts')
  const { userManager } = await import('../lib/auth/user-manager.ts')
  const email = async () => (await userManager.getUser())?.profile.email
  return { ...session, onSessionEnd, ...signIn, userManager, email }
}
