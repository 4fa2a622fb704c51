#!/usr/bin/env Rscript
# Some statistics.
library(stats)

square <- function(x, power = 2L, ...) {
  if (is.null(x) || length(x) == 0) {
    return(NA_character_)
  } else if (any(x < 0) && !all(x > -1e3)) {
    stop("negative: ", x[[1]])
  }
  x^power
}

values <- c(a = 1, b = 0x1F, 'c d' = 3.5)
frame = data.frame(id = 1:3, name = letters[1:3])
frame$name[2] <- "other \"x\""
for (i in seq_along(values)) {
  if (i %% 2 == 0) next
  cat(sprintf("%d: %s\n", i, values[i]))
}
n <- 10
while (TRUE) {
  n <- n - 1
  if (n %in% c(3, 4)) break
}
repeat { break }
total <- values |> sapply(\(v) v * 2) |> sum()
model <- lm(y ~ x + I(x^2), data = frame)
result <- tryCatch(square(-1), error = function(e) NULL, finally = print("done"))
kind <- switch("a", a = "first", b = , "other")
`odd name` <- -total
square(2) -> four
base::print(frame[frame$id > 1, c("id", "name")])
m <- matrix(1:4, nrow = 2) %*% diag(2)
