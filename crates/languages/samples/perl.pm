#!/usr/bin/perl
# Counts words.
package Words;
use strict;
use warnings;
use List::Util qw(sum max);

our $VERSION = '0.1';
my %count = (a => 1, 'b c' => 0x1F);
my @list = (1, 2.5e3, "text $VERSION @{[1 + 2]}\n");

sub new {
    my ($class, %args) = @_;
    my $self = { name => $args{name} || 'none', items => [] };
    return bless $self, $class;
}

sub add {
    my $self = shift;
    foreach my $word (@_) {
        next unless defined $word;
        if ($word =~ /^(\w+)\s*=\s*(.*)$/i) {
            $count{$1}++;
        } elsif ($word eq 'stop') {
            last;
        } else {
            (my $copy = $word) =~ s/a/b/g;
            push @{ $self->{items} }, $copy;
        }
    }
    return scalar @{$self->{items}};
}

for (my $i = 0; $i < 10; $i++) { print $list[$i] if $i % 2 == 0; }
while (my ($k, $v) = each %count) { printf "%s: %d\n", $k, $v; }
my @sorted = sort { $a <=> $b } grep { $_ > 1 } map { $_ * 2 } @list;
open(my $file, '<', 'input.txt') or die "cannot open: $!";
while (<$file>) { chomp; print; }
close $file;
my $code = sub { return wantarray ? @_ : $_[0] };
eval { $code->(1); 1 } or warn $@;
1;
