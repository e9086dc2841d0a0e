import type { Rate } from '@parley/contracts/usage/rate-cards'
import type { ReactNode } from 'react'
import { rateLabels } from '../../../lib/category-labels.ts'
import styles from './rate-cards.module.css'

/** Prices with a column for each category. @param rows title of the first column. */
export const PriceTable = ({
  rows,
  categories,
  children,
}: {
  rows: string
  categories: readonly Rate['category'][]
  children: ReactNode
}) => (
  <table className={styles['rates']}>
    <thead>
      <tr>
        <th scope="col">{rows}</th>
        {categories.map((category) => (
          <th key={category} scope="col">
            {rateLabels[category]}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)
