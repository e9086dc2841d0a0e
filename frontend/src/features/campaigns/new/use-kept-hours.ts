import type { SendingHours } from '@parley/contracts/campaigns/sending-hours'
import { useQuery } from '@tanstack/react-query'
import { sendingHoursOptions } from '../../../lib/choices/sending-hours.ts'
import { templateChoices } from '../../../lib/choices/templates.ts'

/** The sending hours that a broadcast of this template keeps to; undefined where there are none. */
export function useKeptHours(templateId: string): SendingHours | undefined {
  const { data: hours } = useQuery(sendingHoursOptions())
  const { data: templates } = useQuery(templateChoices())
  const template = templates?.find(({ id }) => id === templateId)
  return hours?.limited && template?.category === 'marketing' ? hours : undefined
}
