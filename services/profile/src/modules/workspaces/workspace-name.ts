/** In characters; at two code units each the name still fits into a workspace's 80. */
const maxPersonLength = 30

/** Returns the name of a person's first workspace: `Ann's workspace`, from the name claim or else the e-mail address. */
export function workspaceNameFor({ name, email }: { name?: string | undefined; email: string }): string {
  const fromName = name?.trim().split(/\s+/)[0] ?? ''
  const fromEmail =
    email
      .split('@')[0]
      ?.split(/[._+-]/)
      .find((part) => part !== '') ?? ''
  const person = [...(fromName || fromEmail)].slice(0, maxPersonLength).join('')
  if (person === '') return 'My workspace'
  const [first = '', ...rest] = person
  return `${first.toUpperCase()}${rest.join('')}'s workspace`
}
