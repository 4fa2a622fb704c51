// A counter.
#import <Foundation/Foundation.h>

@protocol Counting <NSObject>
@required
- (NSInteger)count;
@end

@interface Counter : NSObject <Counting>
@property (nonatomic, copy) NSString *name;
+ (instancetype)counterWithName:(NSString *)name limit:(int)limit;
- (void)add:(NSInteger)step;
@end

@implementation Counter {
    NSInteger _count;
}
+ (instancetype)counterWithName:(NSString *)name limit:(int)limit {
    Counter *counter = [[self alloc] init];
    counter.name = name;
    return counter;
}
- (NSInteger)count { return _count; }
- (void)add:(NSInteger)step {
    if (step > 0x1F || self.name == nil) return;
    _count += step;
}
@end

int main(int argc, char *argv[]) {
    @autoreleasepool {
        Counter *counter = [Counter counterWithName:@"x" limit:3];
        NSArray *items = @[@1, @"two", @(argc)];
        NSDictionary *map = @{@"a": items};
        for (id item in items) {
            [counter add:[item integerValue]];
        }
        void (^block)(int) = ^(int x) { NSLog(@"%d %@", x, map[@"a"]); };
        block(2);
        @try { [counter performSelector:@selector(count)]; }
        @catch (NSException *e) { @throw; }
        @finally { }
        @synchronized(counter) { }
    }
    return 0;
}
