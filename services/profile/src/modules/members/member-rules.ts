import { can, describePermission, isWithin, type Permission, type Role } from '@parley/contracts/account/permissions'
import { errors } from '@parley/service-kit/core/errors'

/** @throws `forbidden` where the role that a member has by now lacks a permission that their session was let in by. */
export function checkStillMay(role: Role, permission: Permission): void {
  if (!can(role, permission)) throw errors.forbidden(`You may not ${describePermission(permission)} any more.`)
}

/** @throws `forbidden` for a role above one's own: nobody grants it, or changes somebody who has it. */
export function checkWithin(own: Role, role: Role): void {
  if (!isWithin(role, own))
    throw errors.forbidden(`Your own role is below that of an ${role}. Ask an ${role} of the workspace.`)
}
