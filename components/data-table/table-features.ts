import { columnVisibilityFeature, rowSelectionFeature, rowSortingFeature, tableFeatures } from '@tanstack/react-table'

export const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature, rowSortingFeature })
export type TableFeatures = typeof features
export type { RowData } from '@tanstack/react-table'
