! Sums and shapes.
module shapes
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: area, shape_t
  integer, parameter :: limit = 10

  type :: shape_t
    real(real64) :: sides(4) = 0.0d0
    character(len=:), allocatable :: name
  contains
    procedure :: area
  end type shape_t

  interface add
    module procedure add_int
  end interface add

contains

  pure function add_int(a, b) result(c)
    integer, intent(in) :: a, b
    integer :: c
    c = a + b**2
  end function add_int

  real(real64) function area(self)
    class(shape_t), intent(in) :: self
    area = sum(self%sides) / 2.5e0
  end function area
end module shapes

program main
  use shapes
  implicit none
  integer :: i, j
  logical :: found = .false.
  real, dimension(:, :), allocatable :: grid

  allocate(grid(3, limit))
  outer: do i = 1, 3
    do while (j < 10 .and. .not. found)
      j = j + 1
    end do
    if (i == 2) cycle outer
    if (grid(i, 1) > 0.5) then
      call update(grid(:, i), "text ""x""")
    else if (found) then
      exit outer
    else
      write (*, '(a, i0)') 'row ', i
    end if
  end do outer
  select case (i)
  case (1:3)
    print *, 'few'
  case default
    stop 1
  end select
end program main
