import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { consentSettingsOptions } from '../../../lib/choices/consent-settings.ts'
import type { Draft } from './draft.ts'

/** A new draft begins by leaving out whom the workspace's campaigns usually leave out. @param isNew nothing of it was chosen elsewhere. */
export function useUsualRecent({ getValues, setValue }: UseFormReturn<Draft>, isNew: boolean): void {
  const { data, isFetching } = useQuery(consentSettingsOptions())
  const isBegun = useRef(false)
  useEffect(() => {
    if (!isNew || !data || isFetching || isBegun.current) return
    // A colleague who changes the settings later changes nothing of what is written here.
    isBegun.current = true
    if (data.recentDays === null || getValues('skipsRecent')) return
    setValue('skipsRecent', true)
    setValue('recentDays', data.recentDays)
  }, [isNew, data, isFetching, getValues, setValue])
}
