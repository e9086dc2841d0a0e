import { useCallback, useEffect, useState } from 'react'

/** A form says under its name whether it holds changes that are not saved. */
export type ReportDirty = (form: string, dirty: boolean) => void

export function useReportDirty(form: string, dirty: boolean, report: ReportDirty): void {
  useEffect(() => {
    report(form, dirty)
  }, [form, dirty, report])
}

/** True while any of the forms that report here holds unsaved changes. */
export function useDirty(): [boolean, ReportDirty] {
  const [forms, setForms] = useState<ReadonlySet<string>>(new Set())
  const report = useCallback<ReportDirty>((form, dirty) => {
    setForms((before) => {
      if (before.has(form) === dirty) return before
      const after = new Set(before)
      if (dirty) after.add(form)
      else after.delete(form)
      return after
    })
  }, [])
  return [forms.size > 0, report]
}
