; ModuleID = 'sample.c'
source_filename = "sample.c"
target datalayout = "e-m:e-p270:32:32-i64:64-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { i32, ptr, [4 x i8] }
@.str = private unnamed_addr constant [4 x i8] c"%d\0A\00", align 1
@counter = dso_local global i32 0, align 4
declare i32 @printf(ptr noundef, ...) #1

define dso_local i32 @sum(ptr nocapture readonly %values, i64 %n) local_unnamed_addr #0 {
entry:
  %empty = icmp eq i64 %n, 0
  br i1 %empty, label %done, label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi i32 [ 0, %entry ], [ %added, %loop ]
  %where = getelementptr inbounds i32, ptr %values, i64 %i
  %value = load i32, ptr %where, align 4
  %added = add nsw i32 %total, %value
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !2

done:
  %result = phi i32 [ 0, %entry ], [ %added, %loop ]
  %pair = alloca %struct.pair, align 8
  store i32 %result, ptr @counter, align 4
  %call = tail call i32 (ptr, ...) @printf(ptr @.str, i32 %result)
  %wide = sext i32 %result to i64
  %real = fmul fast double 1.5e+00, 0x3FF0000000000000
  %chosen = select i1 %empty, i32 %result, i32 -1
  switch i32 %chosen, label %exit [
    i32 0, label %exit
    i32 1, label %dead
  ]
dead:
  unreachable
exit:
  ret i32 %chosen
}

attributes #0 = { nounwind uwtable "frame-pointer"="all" }
attributes #1 = { nounwind }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
!2 = distinct !{!2, !0}
