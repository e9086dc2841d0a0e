import { isWithin, type Role, roles } from '@parley/contracts/account/permissions'

/** Name of a role, and what its holder may do. `roles.test.ts` compares the words with the table of permissions. */
export const roleWords: Readonly<Record<Role, { readonly label: string; readonly may: string }>> = {
  owner: {
    label: 'Owner',
    may: 'Everything, including plan and billing, and transferring the workspace.',
  },
  admin: {
    label: 'Admin',
    may: 'Everything but changing the plan, what needs an approval, how long the audit log is kept, and transferring the workspace: launches campaigns, connects numbers, invites people.',
  },
  agent: {
    label: 'Agent',
    may: 'Answers customers, edits contacts and prepares campaigns. Does not launch campaigns, delete contacts or change settings.',
  },
  viewer: {
    label: 'Viewer',
    may: 'Reads conversations, contacts, campaigns and analytics. Changes nothing.',
  },
}

/** Roles that a person may give to others, as choices. */
export const roleChoices = (own: Role) =>
  roles
    .filter((role) => isWithin(role, own))
    .map((role) => ({ value: role, label: roleWords[role].label, may: roleWords[role].may }))
