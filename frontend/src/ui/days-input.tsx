import { InputNumber } from 'antd'
import type { ComponentProps } from 'react'
import styles from './days-input.module.css'

/** A number of days, for a field. */
export const DaysInput = (props: ComponentProps<typeof InputNumber<number>>) => (
  <InputNumber {...props} className={styles['days'] ?? ''} inputMode="numeric" suffix="days" />
)
