import type { Template } from '@parley/contracts/templates/templates'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactRecord } from '../../contacts/contacts.service.ts'
import type { SendingHoursService } from '../../outbound/sending-hours/sending-hours.service.ts'
import type { CampaignRecord, ZoneGroup } from '../campaigns.model.ts'
import { zonesOf } from './contact-zones.ts'

/** An audience that is being written down. */
type Written = WorkspaceScope & Pick<CampaignRecord, 'frozen' | 'anyHour'>

/**
 * Groups of recipients who have the same hours, for marketing that keeps to the hours of a workspace: in each contact's own time
 * zone. Whether there are groups is decided with the first page of an audience. Without them the workspace's zone counts for all.
 */
export async function groupsOf(
  sendingHours: Pick<SendingHoursService, 'read'>,
  { workspaceId, frozen, anyHour }: Written,
  category: Template['category'] | undefined,
) {
  if (frozen.rows > 0) return frozen.groups && collect(frozen.groups)
  const isLimited = category === 'marketing' && !anyHour && (await sendingHours.read({ workspaceId })).limited
  return isLimited ? collect([]) : undefined
}

function collect(known: readonly ZoneGroup[]) {
  const groups = [...known]
  const places = new Map(groups.map(({ zones }, place) => [zones.join(), place]))
  return {
    groups,
    /** Returns the place of a contact's group; adds a group where no contact has had these zones before. */
    placeOf(contact: ContactRecord): number {
      const zones = zonesOf(contact)
      const key = zones.join()
      const place = places.get(key) ?? groups.push({ zones }) - 1
      places.set(key, place)
      return place
    },
  }
}
