/** Decision: the occupations that a cardholder can have. */
export const occupations = [
  { code: 'accountant', name: 'Accountant' },
  { code: 'administrator', name: 'Administrator' },
  { code: 'civil-servant', name: 'Civil servant' },
  { code: 'construction-worker', name: 'Construction worker' },
  { code: 'customer-service', name: 'Customer service' },
  { code: 'designer', name: 'Designer' },
  { code: 'driver', name: 'Driver' },
  { code: 'engineer', name: 'Engineer' },
  { code: 'financial-services', name: 'Financial services' },
  { code: 'healthcare', name: 'Healthcare professional' },
  { code: 'homemaker', name: 'Homemaker' },
  { code: 'hospitality', name: 'Hospitality and catering' },
  { code: 'legal', name: 'Legal professional' },
  { code: 'logistics', name: 'Logistics' },
  { code: 'marketing', name: 'Marketing' },
  { code: 'retail', name: 'Retail' },
  { code: 'retired', name: 'Retired' },
  { code: 'sales', name: 'Sales' },
  { code: 'self-employed', name: 'Self-employed' },
  { code: 'student', name: 'Student' },
  { code: 'teacher', name: 'Teacher' },
  { code: 'other', name: 'Other' },
] as const

/** Decision: the positions that a cardholder can have. */
export const positions = [
  { code: 'staff', name: 'Staff' },
  { code: 'senior-staff', name: 'Senior staff' },
  { code: 'supervisor', name: 'Supervisor' },
  { code: 'manager', name: 'Manager' },
  { code: 'senior-manager', name: 'Senior manager' },
  { code: 'director', name: 'Director' },
  { code: 'executive', name: 'Executive' },
  { code: 'owner', name: 'Owner or partner' },
  { code: 'none', name: 'Not employed' },
] as const
